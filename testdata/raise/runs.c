// Calls what runs.ll defines.
#include <stdio.h>

typedef unsigned __int128 wide;
int wide_switch(wide), prefixed(int), asm_goto(int), naked(int), musttail(int), reads_patched(_Bool);
int switch_i8(signed char), switch_i32(int), switch_i64(long), computed_goto(long);
long wide_top(long);
double calls_alias(double), constrained_cast(long double, _Bool);
extern int patched;

int callee(int n) { return n + 1; }

int main(void) {
  wide huge = (wide)1 << 70;
  printf("wide switch %d %d %d %d %d\n", wide_switch(1), wide_switch(huge), wide_switch(~0ull), wide_switch(0),
         wide_switch(huge + 1));
  printf("narrow switches %d %d %d %d %d %d %d %d\n", switch_i8(-1), switch_i8(5), switch_i8(127), switch_i8(0),
         switch_i32(-1), switch_i32(5), switch_i32(2147483647), switch_i32(255));
  printf("switches modulo 2^32: %d %d %d %d %d %d\n", switch_i64(-1), switch_i64(1), switch_i64(4294967297),
         switch_i64(8589934593), switch_i64(4294967295), switch_i64(0));
  printf("wide integer %ld %ld\n", wide_top((long)12 << 32), wide_top(3));
  printf("calls %d %d %d %d\n", prefixed(1), asm_goto(4), naked(1), musttail(5));
  patched = 9;
  printf("patched %d\n", reads_patched(1));
  printf("floats %g %g\n", calls_alias(1.25), constrained_cast(2.5L, 1));
  printf("labels %d %d\n", computed_goto(0), computed_goto(1));
  return 0;
}
