#include "step.h"
#include "tally.h"

int tally(int times) {
  int sum = 0;
  for (int i = 0; i < times; ++i)
    sum += STEP;
  return sum;
}
