// Ordinary C with a header, static data, loops and floating point.
#include "local.h"

static const int weights[] = {3, 1, 4, 1, 5, 9, 2, 6};
int counter = 7;
int tentative;

static inline int clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

int weigh(const int *restrict values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += clamp(values[i], -100, 100) * weights[i % LENGTH(weights)];
  counter += sum != 0;
  return sum;
}

double norm(const double *values, unsigned count) {
  double sum = 0;
  while (count--)
    sum += values[count] * values[count];
  return sum;
}

const char *name_of(enum shade shade) {
  switch (shade) {
  case LIGHT: return "light";
  case DARK: return "dark";
  }
  return "unknown";
}

#ifdef EXTRA
int extra(void) { return EXTRA + 0; }
#endif
