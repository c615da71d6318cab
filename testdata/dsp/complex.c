// Complex numbers, real and imaginary part in turn.
#include "dsp.h"

#include <math.h>

void cmplx_mult_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t count) {
  for (size_t i = 0; i < 2 * count; i += 2) {
    out[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
    out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
  }
}

void cmplx_mult_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t count) {
  for (size_t i = 0; i < 2 * count; i += 2) {
    q63 real = (q63)a[i] * b[i] - (q63)a[i + 1] * b[i + 1];
    q63 imaginary = (q63)a[i] * b[i + 1] + (q63)a[i + 1] * b[i];
    out[i] = sat_q15((int32_t)(real >> 15));
    out[i + 1] = sat_q15((int32_t)(imaginary >> 15));
  }
}

void cmplx_magnitude_f32(f32 *restrict out, const f32 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = sqrtf(in[2 * i] * in[2 * i] + in[2 * i + 1] * in[2 * i + 1]);
}

void cmplx_dot_q15(const q15 *restrict a, const q15 *restrict b, size_t count, q63 *real, q63 *imaginary) {
  q63 re = 0, im = 0;
  for (size_t i = 0; i < 2 * count; i += 2) {
    re += (q63)a[i] * b[i] - (q63)a[i + 1] * b[i + 1];
    im += (q63)a[i] * b[i + 1] + (q63)a[i + 1] * b[i];
  }
  *real = re;
  *imaginary = im;
}
