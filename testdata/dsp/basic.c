// Element by element: sums, products, shifts, conversions and dot products.
#include "dsp.h"

#define ELEMENTWISE(name, type, expression)                                                                          \
  void name(type *restrict out, const type *restrict a, const type *restrict b, size_t count) {                      \
    for (size_t i = 0; i < count; ++i)                                                                               \
      out[i] = expression;                                                                                           \
  }

ELEMENTWISE(add_f32, f32, a[i] + b[i])
ELEMENTWISE(add_q7, q7, sat_q7(a[i] + b[i]))
ELEMENTWISE(add_q15, q15, sat_q15(a[i] + b[i]))
ELEMENTWISE(add_q31, q31, sat_q31((q63)a[i] + b[i]))
ELEMENTWISE(sub_f32, f32, a[i] - b[i])
ELEMENTWISE(sub_q7, q7, sat_q7(a[i] - b[i]))
ELEMENTWISE(sub_q15, q15, sat_q15(a[i] - b[i]))
ELEMENTWISE(sub_q31, q31, sat_q31((q63)a[i] - b[i]))
ELEMENTWISE(mult_f32, f32, a[i] * b[i])
ELEMENTWISE(mult_q7, q7, sat_q7(a[i] * b[i] >> 7))
ELEMENTWISE(mult_q15, q15, sat_q15(a[i] * b[i] >> 15))
ELEMENTWISE(mult_q31, q31, sat_q31((q63)a[i] * b[i] >> 31))

void scale_f32(f32 *restrict out, const f32 *restrict in, f32 by, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = in[i] * by;
}

void scale_q15(q15 *restrict out, const q15 *restrict in, q15 by, int shift, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = sat_q15(in[i] * by >> (15 - shift));
}

void shift_q31(q31 *restrict out, const q31 *restrict in, int by, size_t count) {
  if (by >= 0)
    for (size_t i = 0; i < count; ++i)
      out[i] = sat_q31((q63)in[i] * ((q63)1 << by));
  else
    for (size_t i = 0; i < count; ++i)
      out[i] = in[i] >> -by;
}

void abs_q15(q15 *restrict out, const q15 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = sat_q15(in[i] < 0 ? -in[i] : in[i]);
}

void negate_q31(q31 *restrict out, const q31 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = sat_q31(-(q63)in[i]);
}

void clip_f32(f32 *restrict out, const f32 *restrict in, f32 low, f32 high, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = in[i] < low ? low : in[i] > high ? high : in[i];
}

f32 dot_f32(const f32 *restrict a, const f32 *restrict b, size_t count) {
  f32 sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

int32_t dot_q7(const q7 *restrict a, const q7 *restrict b, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

q63 dot_q15(const q15 *restrict a, const q15 *restrict b, size_t count) {
  q63 sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += (q63)a[i] * b[i];
  return sum;
}

q63 dot_q31(const q31 *restrict a, const q31 *restrict b, size_t count) {
  q63 sum = 0;
  // 14 guard bits: sums of up to 2^14 products fit.
  for (size_t i = 0; i < count; ++i)
    sum += (q63)a[i] * b[i] >> 14;
  return sum;
}

void q15_from_f32(q15 *restrict out, const f32 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    f32 scaled = in[i] * 32768.0f;
    out[i] = scaled >= 32767.0f ? 32767 : scaled <= -32768.0f ? -32768 : (q15)(scaled + (scaled < 0 ? -0.5f : 0.5f));
  }
}

void f32_from_q15(f32 *restrict out, const q15 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = (f32)in[i] / 32768.0f;
}

void q7_from_q15(q7 *restrict out, const q15 *restrict in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = sat_q7((in[i] + 128) >> 8);
}
