// Checks every kernel against values known or computed another way. Prints one line per failure and a count.
#include "dsp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int checks, failures;

static void expect_close(const char *what, double found, double wanted, double tolerance) {
  ++checks;
  if (!(fabs(found - wanted) <= tolerance)) {
    ++failures;
    printf("%s: %.9g instead of %.9g\n", what, found, wanted);
  }
}

static void expect(const char *what, long long found, long long wanted) {
  ++checks;
  if (found != wanted) {
    ++failures;
    printf("%s: %lld instead of %lld\n", what, found, wanted);
  }
}

#define EACH(what, array, ...)                                                                                       \
  do {                                                                                                               \
    const long long wanted[] = {__VA_ARGS__};                                                                        \
    for (size_t at = 0; at < sizeof wanted / sizeof *wanted; ++at)                                                   \
      expect(what, (array)[at], wanted[at]);                                                                         \
  } while (0)
#define EACH_CLOSE(what, array, tolerance, ...)                                                                      \
  do {                                                                                                               \
    const double wanted[] = {__VA_ARGS__};                                                                           \
    for (size_t at = 0; at < sizeof wanted / sizeof *wanted; ++at)                                                   \
      expect_close(what, (array)[at], wanted[at], tolerance);                                                        \
  } while (0)

static void basic(void) {
  q7 a7[] = {100, -100, 64, -128}, b7[] = {100, -100, 64, -128}, r7[4];
  add_q7(r7, a7, b7, 4);
  EACH("add_q7", r7, 127, -128, 127, -128);
  sub_q7(r7, a7, (q7[]){-100, 100, 1, 127}, 4);
  EACH("sub_q7", r7, 127, -128, 63, -128);
  mult_q7(r7, a7, b7, 4);
  EACH("mult_q7", r7, 78, 78, 32, 127);
  expect("dot_q7", dot_q7(a7, b7, 4), 10000 + 10000 + 4096 + 16384);

  q15 a15[] = {30000, -30000, 16384, -32768}, b15[] = {10000, -10000, 16384, -32768}, r15[4];
  add_q15(r15, a15, b15, 4);
  EACH("add_q15", r15, 32767, -32768, 32767, -32768);
  sub_q15(r15, a15, b15, 4);
  EACH("sub_q15", r15, 20000, -20000, 0, 0);
  mult_q15(r15, a15, b15, 4);
  EACH("mult_q15", r15, 9155, 9155, 8192, 32767);
  scale_q15(r15, a15, 16384, 1, 4);
  EACH("scale_q15", r15, 30000, -30000, 16384, -32768);
  abs_q15(r15, a15, 4);
  EACH("abs_q15", r15, 30000, 30000, 16384, 32767);
  expect("dot_q15", dot_q15(a15, b15, 4), 300000000LL * 2 + 268435456LL + 1073741824LL);
  q7_from_q15(r7, a15, 4);
  EACH("q7_from_q15", r7, 117, -117, 64, -128);

  q31 a31[] = {INT32_MAX, INT32_MIN, 1 << 30, -5}, b31[] = {1, -1, 1 << 30, 3}, r31[4];
  add_q31(r31, a31, b31, 4);
  EACH("add_q31", r31, INT32_MAX, INT32_MIN, INT32_MAX, -2);
  sub_q31(r31, a31, b31, 4);
  EACH("sub_q31", r31, INT32_MAX - 1, INT32_MIN + 1, 0, -8);
  mult_q31(r31, a31, b31, 4);
  EACH("mult_q31", r31, 0, 1, 1 << 29, -1);
  shift_q31(r31, a31, 2, 4);
  EACH("shift_q31", r31, INT32_MAX, INT32_MIN, INT32_MAX, -20);
  shift_q31(r31, a31, -1, 4);
  EACH("shift_q31 right", r31, INT32_MAX / 2, INT32_MIN / 2, 1 << 29, -3);
  negate_q31(r31, a31, 4);
  EACH("negate_q31", r31, -INT32_MAX, INT32_MAX, -(1 << 30), 5);
  expect("dot_q31", dot_q31((q31[]){1 << 20, 1 << 20}, (q31[]){1 << 10, 1 << 11}, 2), (1 << 16) + (1 << 17));

  f32 a[] = {1.5f, -2, 0.25f}, b[] = {2, 3, 4}, r[3];
  add_f32(r, a, b, 3);
  EACH_CLOSE("add_f32", r, 0, 3.5, 1, 4.25);
  sub_f32(r, a, b, 3);
  EACH_CLOSE("sub_f32", r, 0, -0.5, -5, -3.75);
  mult_f32(r, a, b, 3);
  EACH_CLOSE("mult_f32", r, 0, 3, -6, 1);
  scale_f32(r, a, 4, 3);
  EACH_CLOSE("scale_f32", r, 0, 6, -8, 1);
  clip_f32(r, a, -1, 1, 3);
  EACH_CLOSE("clip_f32", r, 0, 1, -1, 0.25);
  expect_close("dot_f32", dot_f32(a, b, 3), -2, 0);
  q15_from_f32(r15, (f32[]){0.5f, -1, 2, -0.25f}, 4);
  EACH("q15_from_f32", r15, 16384, -32768, 32767, -8192);
  f32_from_q15(r, r15, 3);
  EACH_CLOSE("f32_from_q15", r, 1e-4, 0.5, -1, 1);
}

static void filters(void) {
  const f32 taps[] = {0.5f, 0.25f, 0.125f}, in[] = {1, 2, 3, 4, 5};
  f32 whole[5], parts[5], state[2] = {0}, again[2] = {0};
  fir_f32(whole, in, 5, taps, 3, state);
  EACH_CLOSE("fir_f32", whole, 1e-6, 0.5, 1.25, 2.125, 3, 3.875);
  // The same signal in blocks of 1, 3 and 1 samples.
  fir_f32(parts, in, 1, taps, 3, again), fir_f32(parts + 1, in + 1, 3, taps, 3, again);
  fir_f32(parts + 4, in + 4, 1, taps, 3, again);
  expect("fir_f32 in blocks", memcmp(whole, parts, sizeof whole), 0);

  q15 r15[4], s15[2] = {0};
  fir_q15(r15, (q15[]){1000, 2000, 3000, 32767}, 4, (q15[]){16384, 8192, 4096}, 3, s15);
  EACH("fir_q15", r15, 500, 1250, 2125, 17383);
  EACH("fir_q15 state", s15, 3000, 32767);
  q31 r31[3], s31[1] = {0};
  fir_q31(r31, (q31[]){1 << 20, 1 << 21, INT32_MAX}, 3, (q31[]){INT32_MAX, INT32_MAX}, 2, s31);
  EACH("fir_q31", r31, (1 << 20) - 1, 3145727, INT32_MAX);

  f32 fewer[3], more[10];
  expect("fir_decimate_f32 count", (long long)fir_decimate_f32(fewer, in, 5, taps, 3, 2), 3);
  EACH_CLOSE("fir_decimate_f32", fewer, 1e-6, 0.5, 2.125, 3.875);
  expect("fir_interpolate_f32 count", (long long)fir_interpolate_f32(more, in, 5, (f32[]){1, 0.5f, 0, 0.5f}, 4, 2), 10);
  EACH_CLOSE("fir_interpolate_f32", more, 1e-6, 1, 0.5, 2, 1.5, 3, 2.5, 4, 3.5, 5, 4.5);

  const struct biquad stages[] = {{0.2f, 0.3f, 0.1f, -0.4f, 0.2f}, {1, -0.5f, 0.25f, 0.1f, -0.3f}};
  f32 one[5], two[5], state1[2][4] = {{0}}, state2[2][2] = {{0}};
  biquad_df1_f32(one, in, 5, stages, 2, state1), biquad_df2t_f32(two, in, 5, stages, 2, state2);
  for (int i = 0; i < 5; ++i)
    expect_close("biquad forms", one[i], two[i], 1e-5);
  expect_close("biquad_df1_f32", one[0], 0.2, 1e-6);
  expect_close("biquad_df1_f32", one[1], 0.66, 1e-6);

  q15 state15[4] = {0};
  biquad_df1_q15(r15, (q15[]){8000, 8000, 8000, 8000}, 4, (q15[]){8192, 8192, 0, -8192, 0}, 1, state15);
  EACH("biquad_df1_q15", r15, 4000, 10000, 13000, 14500);

  f32 level = 0;
  one_pole_f32(one, (f32[]){1, 1, 1}, 3, 0.5f, &level);
  EACH_CLOSE("one_pole_f32", one, 0, 0.5, 0.75, 0.875);

  // An adaptive filter learns an unknown one.
  f32 noise[400], wanted[400], out[400], error[400], learned[3] = {0}, history[3] = {0}, unknown[2] = {0};
  uint32_t random = 1;
  for (int i = 0; i < 400; ++i)
    random = random * 1664525u + 1013904223u, noise[i] = (f32)(random >> 16) / 32768.0f - 1;
  fir_f32(wanted, noise, 400, taps, 3, unknown);
  lms_f32(out, error, noise, wanted, 400, learned, 3, 0.2f, history);
  EACH_CLOSE("lms_f32", learned, 1e-3, 0.5, 0.25, 0.125);

  f32 tone[64];
  for (int i = 0; i < 64; ++i)
    tone[i] = sinf(2 * DSP_PI * 5 * (f32)i / 64);
  expect_close("goertzel_f32 at the tone", goertzel_f32(tone, 64, 5), 1024, 0.5);
  expect_close("goertzel_f32 beside it", goertzel_f32(tone, 64, 9), 0, 0.1);
  q15 smooth[5];
  median3_q15(smooth, (q15[]){1, 900, 3, 4, -700}, 5);
  EACH("median3_q15", smooth, 1, 3, 4, 3, -700);
}

static void transforms(void) {
  enum { N = 64 };
  f32 signal[2 * N], fast[2 * N], fast4[2 * N];
  for (int i = 0; i < N; ++i) {
    signal[2 * i] = sinf(0.3f * (f32)i) + 0.5f * cosf(1.7f * (f32)i);
    signal[2 * i + 1] = 0.25f * sinf(0.9f * (f32)i);
  }
  memcpy(fast, signal, sizeof fast), memcpy(fast4, signal, sizeof fast4);
  fft_radix2_f32(fast, N, false), fft_radix4_f32(fast4, N);
  for (int k = 0; k < N; ++k) {
    double real = 0, imaginary = 0;
    for (int n = 0; n < N; ++n) {
      double angle = -2 * 3.14159265358979323846 * k * n / N;
      real += signal[2 * n] * cos(angle) - signal[2 * n + 1] * sin(angle);
      imaginary += signal[2 * n] * sin(angle) + signal[2 * n + 1] * cos(angle);
    }
    expect_close("fft_radix2_f32", fast[2 * k], real, 1e-4);
    expect_close("fft_radix2_f32", fast[2 * k + 1], imaginary, 1e-4);
    expect_close("fft_radix4_f32", fast4[2 * k], real, 1e-4);
    expect_close("fft_radix4_f32", fast4[2 * k + 1], imaginary, 1e-4);
  }
  q15 fixed[2 * N];
  for (int i = 0; i < 2 * N; ++i)
    fixed[i] = (q15)(signal[i] * 16384);
  fft_radix2_q15(fixed, N);
  for (int i = 0; i < 2 * N; ++i)
    expect_close("fft_radix2_q15", fixed[i], fast[i] * 16384 / N, 24);
  fft_radix2_f32(fast, N, true);
  for (int i = 0; i < 2 * N; ++i)
    expect_close("inverse", fast[i], signal[i], 1e-5);

  f32 cosines[4], steps[4];
  dct2_f32(cosines, (f32[]){1, 1, 1, 1}, 4);
  EACH_CLOSE("dct2_f32", cosines, 1e-6, 4, 0, 0, 0);
  dct2_f32(cosines, (f32[]){1, 0, 0, 0}, 4), expect_close("dct2_f32", cosines[1], 0.923879533, 1e-6);
  q31 walsh[] = {1, 0, 1, 0};
  walsh_hadamard_q31(walsh, 4);
  EACH("walsh_hadamard_q31", walsh, 2, 2, 0, 0);
  haar_f32(steps, (f32[]){1, 3, 5, 1}, 4);
  EACH_CLOSE("haar_f32", steps, 0, 2, 3, -1, 2);
}

static void matrices(void) {
  const f32 a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 0, 3};
  f32 product[4], turned[6], inverse[9], root[9], back[9];
  mat_mult_f32(product, a, b, 2, 3, 2);
  EACH_CLOSE("mat_mult_f32", product, 0, 5, 11, 14, 23);
  mat_transpose_f32(turned, a, 2, 3);
  EACH_CLOSE("mat_transpose_f32", turned, 0, 1, 4, 2, 5, 3, 6);
  f32 square[] = {0, 2, 1, 1, 1, 0, 3, 0, 1}, kept[9];
  memcpy(kept, square, sizeof kept);
  expect("mat_inverse_f32", mat_inverse_f32(inverse, square, 3), true);
  mat_mult_f32(back, kept, inverse, 3, 3, 3);
  EACH_CLOSE("mat_inverse_f32", back, 1e-6, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  f32 singular[] = {1, 2, 2, 4};
  expect("singular", mat_inverse_f32(inverse, singular, 2), false);
  const f32 definite[] = {4, 12, -16, 12, 37, -43, -16, -43, 98};
  expect("mat_cholesky_f32", mat_cholesky_f32(root, definite, 3), true);
  EACH_CLOSE("mat_cholesky_f32", root, 1e-4, 2, 0, 0, 6, 1, 0, -8, 5, 3);
  expect("not definite", mat_cholesky_f32(root, (f32[]){1, 2, 2, 1}, 2), false);
  q15 small[4];
  mat_mult_q15(small, (q15[]){16384, 0, 0, 16384}, (q15[]){100, 200, 300, 32767}, 2, 2, 2);
  EACH("mat_mult_q15", small, 50, 100, 150, 16383);
  q7 vector[2];
  mat_vec_q7(vector, (q7[]){1, 2, 3, 100, 100, 100}, (q7[]){4, 5, 6}, 2, 3, 2);
  EACH("mat_vec_q7", vector, 8, 127);
}

static void convolutions(void) {
  f32 full[4], lags[2];
  conv_f32(full, (f32[]){1, 2, 3}, 3, (f32[]){1, -1}, 2);
  EACH_CLOSE("conv_f32", full, 0, 1, 1, 1, -3);
  correlate_f32(lags, (f32[]){1, 2, 3}, 3, (f32[]){1, -1}, 2);
  EACH_CLOSE("correlate_f32", lags, 0, -1, -1);
  q15 fixed[4];
  conv_q15(fixed, (q15[]){16384, 16384, 32767}, 3, (q15[]){32767, 16384}, 2);
  EACH("conv_q15", fixed, 16383, 24575, 32767, 16383);
  const q7 picture[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, laplace[] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
  q7 edges[9], pooled[2];
  conv2d_q7(edges, picture, 3, 3, laplace, 0);
  EACH("conv2d_q7", edges, 2, 1, -4, -3, 0, -7, -16, -11, -22);
  max_pool_q7(pooled, (q7[]){1, -5, 3, 4, 9, 2, -7, 8}, 2, 4);
  EACH("max_pool_q7", pooled, 9, 8);
}

static void windows(void) {
  f32 window[5];
  window_hann_f32(window, 5);
  EACH_CLOSE("window_hann_f32", window, 1e-6, 0, 0.5, 1, 0.5, 0);
  window_hamming_f32(window, 5);
  EACH_CLOSE("window_hamming_f32", window, 1e-6, 0.08, 0.54, 1, 0.54, 0.08);
  window_blackman_f32(window, 5);
  EACH_CLOSE("window_blackman_f32", window, 1e-6, 0, 0.34, 1, 0.34, 0);
  q15 data[] = {32767, -32768, 1000};
  window_apply_q15(data, (q15[]){16384, 16384, 32767}, 3);
  EACH("window_apply_q15", data, 16383, -16384, 999);
}

static void statistics(void) {
  const f32 in[] = {1, 2, 3, 4, 10};
  expect_close("mean_f32", mean_f32(in, 5), 4, 1e-6);
  expect_close("variance_f32", variance_f32(in, 5), 12.5, 1e-5);
  expect_close("rms_f32", rms_f32(in, 5), sqrt(26), 1e-5);
  expect("max_index_f32", (long long)max_index_f32(in, 5), 4);
  expect("mean_q15", mean_q15((q15[]){32767, 32767, -1}, 3), 21844);
  expect("power_q15", power_q15((q15[]){-32768, 32767}, 2), 1073741824LL + 1073676289LL);
  expect("min_index_q31", (long long)min_index_q31((q31[]){5, INT32_MIN, 7, INT32_MIN}, 4), 1);
}

static void angles(void) {
  const double half_turn = 2147483648.0, pi = 3.14159265358979323846;
  for (int degrees = -180; degrees < 180; degrees += 15) {
    q31 sine, cosine, angle = (q31)(degrees / 180.0 * half_turn);
    double radians = degrees * pi / 180;
    cordic_sin_cos_q31(angle, &sine, &cosine);
    expect_close("cordic sine", sine / half_turn, sin(radians), 1e-6);
    expect_close("cordic cosine", cosine / half_turn, cos(radians), 1e-6);
    q31 y = (q31)(sin(radians) * 1e9), x = (q31)(cos(radians) * 1e9);
    double found = cordic_atan2_q31(y, x) / half_turn * 180;
    double away = fabs(found - degrees);
    expect_close("cordic_atan2_q31", away > 180 ? 360 - away : away, 0, 1e-4);
    expect_close("sin_q15", sin_q15((q15)(degrees * 65536 / 360)), sin(radians) * 32768, 24);
  }
  EACH("sqrt_u32", ((uint32_t[]){sqrt_u32(0), sqrt_u32(1), sqrt_u32(99), sqrt_u32(100), sqrt_u32(UINT32_MAX)}), 0, 1,
       9, 10, 65535);
}

static void complexes(void) {
  f32 product[4], magnitude[2];
  cmplx_mult_f32(product, (f32[]){1, 2, 0, 1}, (f32[]){3, -1, 0, 1}, 2);
  EACH_CLOSE("cmplx_mult_f32", product, 0, 5, 5, -1, 0);
  cmplx_magnitude_f32(magnitude, (f32[]){3, 4, -5, 12}, 2);
  EACH_CLOSE("cmplx_magnitude_f32", magnitude, 1e-6, 5, 13);
  q15 fixed[2];
  cmplx_mult_q15(fixed, (q15[]){-32768, -32768}, (q15[]){-32768, 32767}, 1);
  EACH("cmplx_mult_q15", fixed, 32767, 1);
  q63 real, imaginary;
  cmplx_dot_q15((q15[]){1, 2, 3, 4}, (q15[]){5, 6, 7, 8}, 2, &real, &imaginary);
  expect("cmplx_dot_q15", real, -18), expect("cmplx_dot_q15", imaginary, 68);
}

static void control(void) {
  struct pid pid = {2, 0.5f, 0.25f, 0, 0};
  expect_close("pid_f32", pid_f32(&pid, 1), 2.75, 1e-6);
  expect_close("pid_f32", pid_f32(&pid, 0.5f), 1.625, 1e-6);
  q31 alpha, beta;
  clarke_q31(1 << 28, 1 << 28, &alpha, &beta);
  expect("clarke_q31", alpha, 1 << 28), expect_close("clarke_q31", beta, sqrt(3) * (1 << 28), 4);
  f32 direct, quadrature;
  park_f32(1, 2, 0.6f, 0.8f, &direct, &quadrature);
  expect_close("park_f32", direct, 2, 1e-6), expect_close("park_f32", quadrature, 1, 1e-6);
  const f32 table[] = {0, 10, 40};
  expect_close("interpolate_f32", interpolate_f32(table, 3, 1.5f), 25, 0);
  expect_close("interpolate_f32", interpolate_f32(table, 3, -1), 0, 0);
  expect_close("interpolate_f32", interpolate_f32(table, 3, 9), 40, 0);
  const q15 fixed[] = {0, 1000, -1000};
  expect("interpolate_q15", interpolate_q15(fixed, 3, 1 << 19), 500);
  expect("interpolate_q15", interpolate_q15(fixed, 3, 3 << 19), 0);
}

int main(void) {
  basic(), filters(), transforms(), matrices(), convolutions(), windows(), statistics(), angles(), complexes(), control();
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
