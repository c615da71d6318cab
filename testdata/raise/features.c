// What C does to control flow and to calls, printed.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int threaded(const unsigned char *code) {
  static void *const labels[] = {&&add, &&mul, &&stop};
  int value = 1;
  goto *labels[*code++];
add:
  value += 3;
  goto *labels[*code++];
mul:
  value *= 5;
  goto *labels[*code++];
stop:
  return value;
}

static jmp_buf target;
static int jumps(int n) {
  volatile int count = 0;
  int thrown = setjmp(target);
  count += thrown;
  if (thrown < n)
    longjmp(target, thrown + 1);
  return count;
}

static int sum_of(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  while (count-- > 0)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}

static _Thread_local int per_thread = 4;
static _Atomic int shared;
static int add_atomically(int n) {
  int seen = atomic_load(&shared);
  while (!atomic_compare_exchange_weak(&shared, &seen, seen + n))
    ;
  return atomic_load(&shared) + per_thread++;
}

struct pair { int first; double second; };
struct large { int values[9]; struct pair pair; };
static struct large fill(struct pair from, int n) {
  struct large made = {{0}, from};
  for (int i = 0; i < 9; i++)
    made.values[i] = n * i;
  return made;
}

static int variable_length(int n) {
  int values[n];
  for (int i = 0; i < n; i++)
    values[i] = i * i;
  int sum = 0;
  for (int i = n - 1; i >= 0; i -= 2)
    sum += values[i];
  return sum;
}

static int assembly(int n) {
  int result;
  __asm__ volatile("leal 3(%1), %0" : "=r"(result) : "r"(n));
  return result;
}

static int classify(long n) {
  switch (n) {
  case -1: return 1;
  case 4294967295: return 2;
  case 4294967296 ... 4294967300: return 3;
  case 8589934591: return 4;
  default: return n < 0 ? 5 : 6;
  }
}

static int irreducible(int n) {
  int sum = 0, i = 0;
  if (n & 1)
    goto inside;
outside:
  sum += i;
inside:
  i += 2;
  if (i < n)
    goto outside;
  if (sum & 4) {
    sum++;
    if (i < 40)
      goto inside;
  }
  return sum;
}

static unsigned duff(const char *from, char *to, int count) {
  int rounds = (count + 3) / 4;
  unsigned hash = 7;
  switch (count % 4) {
  case 0: do { *to++ = *from++; hash = hash * 31 + 1;
  case 3:      *to++ = *from++; hash ^= 5;
  case 2:      *to++ = *from++; hash += 9;
  case 1:      *to++ = *from++;
          } while (--rounds > 0);
  }
  return hash;
}

static __int128 wide(long n) {
  __int128 product = 1;
  for (long i = 1; i <= n; i++)
    product *= i;
  return product >> 60;
}

static int searches(const int *values, int rows, int columns, int wanted) {
  for (int row = 0; row < rows; row++) {
    if (values[row * columns] < 0)
      continue;
    for (int column = 0; column < columns; column++) {
      if (values[row * columns + column] == wanted)
        return row * 100 + column;
      if (values[row * columns + column] > 1000)
        goto next;
    }
  next:;
  }
  return -1;
}

static double series(double x) {
  double term = 1, sum = 0;
  int n = 0;
  do {
    sum += term;
    term *= x / ++n;
  } while (fabs(term) > 1e-12);
  return sum;
}

static int calls(int (*function)(int), int n) {
  int result = 0;
  for (unsigned char i = 250; i != 4; i++)
    result += function(n + i);
  return result;
}
static int twice(int n) { return 2 * n; }
extern int twice_again(int) __attribute__((alias("visible")));
int visible(int n) { return twice(n) + 1; }

static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 6; }

// The bound lies behind the first value, and the program ends before the counter would wrap.
__attribute__((noinline)) static void end_at(int i, int last) {
  if (i == last) {
    printf("ends at %d\n", i);
    exit(0);
  }
}
__attribute__((noinline)) static void counts_past(int first, int bound, int last) {
  int i = first;
  do
    end_at(i, last);
  while (++i != bound);
}

int main(void) {
  const unsigned char code[] = {0, 1, 1, 0, 2};
  printf("%d %d %d %d %d\n", threaded(code), jumps(5), sum_of(4, 1, 2, 3, 4), add_atomically(5), add_atomically(2));
  struct large large = fill((struct pair){3, 0.5}, 7);
  printf("%d %d %g\n", large.values[8], large.pair.first, large.pair.second);
  printf("%d %d %d %d %d\n", variable_length(9), assembly(4), classify(-1), classify(4294967295), classify(8589934591));
  printf("%d %d %d %d\n", classify(4294967298), classify(-7), irreducible(9), irreducible(30));
  char copy[32] = {0};
  unsigned hash = duff("the quick brown fox jumps", copy, 25);
  printf("%s %u %ld\n", copy, hash, (long)wide(25));
  const int values[] = {1, 2, 3, -1, 5, 6, 7, 2000, 9, 10, 11, 12};
  printf("%d %d %d\n", searches(values, 4, 3, 12), searches(values, 4, 3, 9), searches(values, 4, 3, 5));
  printf("%.9f %d %d %d\n", series(1.5), calls(twice, 3), twice_again(4), constructed);
  counts_past(0, -1, 5);
  return 1;
}
