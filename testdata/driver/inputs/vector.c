void saxpy(float *restrict out, const float *restrict in, float by, int count) {
  for (int i = 0; i < count; ++i)
    out[i] += in[i] * by;
}
