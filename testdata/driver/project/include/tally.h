#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int tally(int times);
int rounded(int value);
#ifdef __cplusplus
}
#endif
