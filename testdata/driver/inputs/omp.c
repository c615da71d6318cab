void fill(int *values, int count) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < count; ++i)
    values[i] = i;
}
