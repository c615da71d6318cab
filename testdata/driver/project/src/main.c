#include "tally.h"

#include <stdio.h>

int main(void) {
  printf("%d %d\n", tally(7), rounded(tally(7)));
  return 0;
}
