#include "local.h"
#include <stdio.h>

int part(int);

int main(int argc, char **argv) {
  int values[] = {1, 2, 3, argc};
  printf("%d %d %s\n", weigh(values, 4), part(argc), name_of(DARK));
  return argv[0] == 0;
}
