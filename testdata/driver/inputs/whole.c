static unsigned step(unsigned state) { return state * 1664525u + 1013904223u; }

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < 1000; ++i)
    state = step(state);
  return state == 0;
}
