#pragma once
#include "sub/other.h"
#define LENGTH(array) (sizeof(array) / sizeof *(array))
int weigh(const int *restrict values, int count);
double norm(const double *values, unsigned count);
const char *name_of(enum shade shade);
