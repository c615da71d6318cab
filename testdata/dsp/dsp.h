// A small library of signal processing kernels in floating and fixed point.
//
// q7, q15 and q31 are signed fractions: the integer v stands for v / 2^7, v / 2^15 and v / 2^31. Results that do not
// fit saturate. Arrays of complex numbers hold real and imaginary part in turn.
#ifndef DSP_H
#define DSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef float f32;
typedef int8_t q7;
typedef int16_t q15;
typedef int32_t q31;
typedef int64_t q63;

#define DSP_PI 3.14159265358979323846f

static inline q7 sat_q7(int32_t value) { return (q7)(value > 127 ? 127 : value < -128 ? -128 : value); }

static inline q15 sat_q15(int32_t value) { return (q15)(value > 32767 ? 32767 : value < -32768 ? -32768 : value); }

static inline q31 sat_q31(q63 value) {
  return (q31)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

// basic.c: element by element
void add_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t count);
void add_q7(q7 *restrict out, const q7 *restrict a, const q7 *restrict b, size_t count);
void add_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t count);
void add_q31(q31 *restrict out, const q31 *restrict a, const q31 *restrict b, size_t count);
void sub_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t count);
void sub_q7(q7 *restrict out, const q7 *restrict a, const q7 *restrict b, size_t count);
void sub_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t count);
void sub_q31(q31 *restrict out, const q31 *restrict a, const q31 *restrict b, size_t count);
void mult_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t count);
void mult_q7(q7 *restrict out, const q7 *restrict a, const q7 *restrict b, size_t count);
void mult_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t count);
void mult_q31(q31 *restrict out, const q31 *restrict a, const q31 *restrict b, size_t count);
void scale_f32(f32 *restrict out, const f32 *restrict in, f32 by, size_t count);
void scale_q15(q15 *restrict out, const q15 *restrict in, q15 by, int shift, size_t count);
void shift_q31(q31 *restrict out, const q31 *restrict in, int by, size_t count);
void abs_q15(q15 *restrict out, const q15 *restrict in, size_t count);
void negate_q31(q31 *restrict out, const q31 *restrict in, size_t count);
void clip_f32(f32 *restrict out, const f32 *restrict in, f32 low, f32 high, size_t count);
f32 dot_f32(const f32 *restrict a, const f32 *restrict b, size_t count);
int32_t dot_q7(const q7 *restrict a, const q7 *restrict b, size_t count);
q63 dot_q15(const q15 *restrict a, const q15 *restrict b, size_t count);
q63 dot_q31(const q31 *restrict a, const q31 *restrict b, size_t count);
void q15_from_f32(q15 *restrict out, const f32 *restrict in, size_t count);
void f32_from_q15(f32 *restrict out, const q15 *restrict in, size_t count);
void q7_from_q15(q7 *restrict out, const q15 *restrict in, size_t count);

// filter.c: filters keep the last taps - 1 inputs, oldest first, in their state
void fir_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps, size_t length,
             f32 *restrict state);
void fir_q15(q15 *restrict out, const q15 *restrict in, size_t count, const q15 *restrict taps, size_t length,
             q15 *restrict state);
void fir_q31(q31 *restrict out, const q31 *restrict in, size_t count, const q31 *restrict taps, size_t length,
             q31 *restrict state);
size_t fir_decimate_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps,
                        size_t length, size_t factor);
size_t fir_interpolate_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps,
                           size_t length, size_t factor);
struct biquad {
  f32 b0, b1, b2, a1, a2;
};
void biquad_df1_f32(f32 *restrict out, const f32 *restrict in, size_t count, const struct biquad *stages,
                    size_t stage_count, f32 (*restrict state)[4]);
void biquad_df2t_f32(f32 *restrict out, const f32 *restrict in, size_t count, const struct biquad *stages,
                     size_t stage_count, f32 (*restrict state)[2]);
void biquad_df1_q15(q15 *restrict out, const q15 *restrict in, size_t count, const q15 coefficients[5], int shift,
                    q15 state[4]);
void one_pole_f32(f32 *restrict out, const f32 *restrict in, size_t count, f32 weight, f32 *state);
void lms_f32(f32 *restrict out, f32 *restrict error, const f32 *restrict in, const f32 *restrict wanted, size_t count,
             f32 *restrict taps, size_t length, f32 step, f32 *restrict state);
f32 goertzel_f32(const f32 *in, size_t count, f32 cycles);
void median3_q15(q15 *restrict out, const q15 *restrict in, size_t count);

// transform.c: in place, count is a power of two (of four for radix 4)
void fft_radix2_f32(f32 *data, size_t count, bool inverse);
void fft_radix4_f32(f32 *data, size_t count);
void fft_radix2_q15(q15 *data, size_t count);
void dct2_f32(f32 *restrict out, const f32 *restrict in, size_t count);
void walsh_hadamard_q31(q31 *data, size_t count);
void haar_f32(f32 *restrict out, const f32 *restrict in, size_t count);

// matrix.c: row by row
void mat_mult_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t rows, size_t inner,
                  size_t columns);
void mat_mult_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t rows, size_t inner,
                  size_t columns);
void mat_vec_q7(q7 *restrict out, const q7 *restrict matrix, const q7 *restrict vector, size_t rows, size_t columns,
                int shift);
void mat_transpose_f32(f32 *restrict out, const f32 *restrict in, size_t rows, size_t columns);
bool mat_inverse_f32(f32 *restrict out, f32 *restrict in, size_t size);
bool mat_cholesky_f32(f32 *restrict out, const f32 *restrict in, size_t size);

// convolution.c
void conv_f32(f32 *restrict out, const f32 *restrict a, size_t a_count, const f32 *restrict b, size_t b_count);
void conv_q15(q15 *restrict out, const q15 *restrict a, size_t a_count, const q15 *restrict b, size_t b_count);
void correlate_f32(f32 *restrict out, const f32 *restrict a, size_t a_count, const f32 *restrict b, size_t b_count);
void conv2d_q7(q7 *restrict out, const q7 *restrict in, size_t height, size_t width, const q7 kernel[9], int shift);
void max_pool_q7(q7 *restrict out, const q7 *restrict in, size_t height, size_t width);

// window.c
void window_hann_f32(f32 *out, size_t count);
void window_hamming_f32(f32 *out, size_t count);
void window_blackman_f32(f32 *out, size_t count);
void window_apply_q15(q15 *restrict data, const q15 *restrict window, size_t count);

// statistics.c
f32 mean_f32(const f32 *in, size_t count);
f32 variance_f32(const f32 *in, size_t count);
f32 rms_f32(const f32 *in, size_t count);
q15 mean_q15(const q15 *in, size_t count);
q63 power_q15(const q15 *in, size_t count);
size_t max_index_f32(const f32 *in, size_t count);
size_t min_index_q31(const q31 *in, size_t count);

// cordic.c: angles in turns as q31: 2^31 is half a turn
void cordic_sin_cos_q31(q31 angle, q31 *sine, q31 *cosine);
q31 cordic_atan2_q31(q31 y, q31 x);
uint32_t sqrt_u32(uint32_t value);
q15 sin_q15(q15 angle);

// complex.c
void cmplx_mult_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t count);
void cmplx_mult_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t count);
void cmplx_magnitude_f32(f32 *restrict out, const f32 *restrict in, size_t count);
void cmplx_dot_q15(const q15 *restrict a, const q15 *restrict b, size_t count, q63 *real, q63 *imaginary);

// control.c
struct pid {
  f32 proportional, integral, derivative, sum, last;
};
f32 pid_f32(struct pid *pid, f32 error);
void clarke_q31(q31 a, q31 b, q31 *alpha, q31 *beta);
void park_f32(f32 alpha, f32 beta, f32 sine, f32 cosine, f32 *direct, f32 *quadrature);
f32 interpolate_f32(const f32 *table, size_t count, f32 at);
q15 interpolate_q15(const q15 *table, size_t count, uint32_t at);

#endif
