#ifndef OTHER_H
#define OTHER_H
enum shade { LIGHT, DARK };
#endif
