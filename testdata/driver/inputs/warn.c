#include "shaky.h"
static int unused_function(void) { return 1; }
int shadowed(int value) {
  int unused;
  if (value = 3)
    return value;
  { int value = 2; (void)value; }
  char narrow = 1000;
  return narrow == "text";
}
#warning this file warns
