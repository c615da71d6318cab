// Fourier, cosine, Walsh and Haar transforms.
#include "dsp.h"

#include <math.h>

static void swap_pairs_f32(f32 *data, size_t a, size_t b) {
  for (int part = 0; part < 2; ++part) {
    f32 kept = data[2 * a + part];
    data[2 * a + part] = data[2 * b + part];
    data[2 * b + part] = kept;
  }
}

// Puts element i where i has its digits of `bits` bits reversed.
static void reverse_digits_f32(f32 *data, size_t count, int bits) {
  for (size_t i = 0; i < count; ++i) {
    size_t reversed = 0, rest = i;
    for (size_t range = count; range > 1; range >>= bits, rest >>= bits)
      reversed = reversed << bits | (rest & (((size_t)1 << bits) - 1));
    if (reversed > i)
      swap_pairs_f32(data, i, reversed);
  }
}

void fft_radix2_f32(f32 *data, size_t count, bool inverse) {
  reverse_digits_f32(data, count, 1);
  f32 sign = inverse ? 1.0f : -1.0f;
  for (size_t half = 1; half < count; half *= 2)
    for (size_t k = 0; k < half; ++k) {
      f32 angle = sign * DSP_PI * (f32)k / (f32)half;
      f32 c = cosf(angle), s = sinf(angle);
      for (size_t i = k; i < count; i += 2 * half) {
        f32 *a = data + 2 * i, *b = data + 2 * (i + half);
        f32 real = b[0] * c - b[1] * s, imaginary = b[0] * s + b[1] * c;
        b[0] = a[0] - real, b[1] = a[1] - imaginary;
        a[0] += real, a[1] += imaginary;
      }
    }
  if (inverse)
    for (size_t i = 0; i < 2 * count; ++i)
      data[i] /= (f32)count;
}

void fft_radix4_f32(f32 *data, size_t count) {
  reverse_digits_f32(data, count, 2);
  for (size_t quarter = 1; quarter < count; quarter *= 4)
    for (size_t k = 0; k < quarter; ++k) {
      f32 angle = -DSP_PI * (f32)k / (f32)(2 * quarter);
      f32 c[4], s[4];
      for (int m = 1; m < 4; ++m)
        c[m] = cosf(angle * (f32)m), s[m] = sinf(angle * (f32)m);
      for (size_t i = k; i < count; i += 4 * quarter) {
        f32 real[4], imaginary[4];
        real[0] = data[2 * i], imaginary[0] = data[2 * i + 1];
        for (size_t m = 1; m < 4; ++m) {
          const f32 *from = data + 2 * (i + m * quarter);
          real[m] = from[0] * c[m] - from[1] * s[m];
          imaginary[m] = from[0] * s[m] + from[1] * c[m];
        }
        f32 even_real = real[0] + real[2], even_imaginary = imaginary[0] + imaginary[2];
        f32 other_real = real[0] - real[2], other_imaginary = imaginary[0] - imaginary[2];
        f32 odd_real = real[1] + real[3], odd_imaginary = imaginary[1] + imaginary[3];
        f32 cross_real = real[1] - real[3], cross_imaginary = imaginary[1] - imaginary[3];
        f32 *to[4];
        for (size_t m = 0; m < 4; ++m)
          to[m] = data + 2 * (i + m * quarter);
        to[0][0] = even_real + odd_real, to[0][1] = even_imaginary + odd_imaginary;
        to[1][0] = other_real + cross_imaginary, to[1][1] = other_imaginary - cross_real;
        to[2][0] = even_real - odd_real, to[2][1] = even_imaginary - odd_imaginary;
        to[3][0] = other_real - cross_imaginary, to[3][1] = other_imaginary + cross_real;
      }
    }
}

// Each stage halves, so the result is the transform divided by count.
void fft_radix2_q15(q15 *data, size_t count) {
  for (size_t i = 0, reversed = 0; i < count; ++i) {
    if (reversed > i)
      for (int part = 0; part < 2; ++part) {
        q15 kept = data[2 * i + part];
        data[2 * i + part] = data[2 * reversed + part];
        data[2 * reversed + part] = kept;
      }
    size_t bit = count >> 1;
    for (; bit && reversed & bit; bit >>= 1)
      reversed &= ~bit;
    reversed |= bit;
  }
  for (size_t half = 1; half < count; half *= 2)
    for (size_t k = 0; k < half; ++k) {
      // An angle of -k / (2 half) turns; 2^16 of sin_q15's angles are a turn.
      q15 angle = (q15)-(int32_t)(k * 32768u / half);
      q15 s = sin_q15(angle), c = sin_q15((q15)(angle + 16384));
      for (size_t i = k; i < count; i += 2 * half) {
        q15 *a = data + 2 * i, *b = data + 2 * (i + half);
        int32_t real = (b[0] * c - b[1] * s) >> 15, imaginary = (b[0] * s + b[1] * c) >> 15;
        int32_t a0 = a[0], a1 = a[1];
        a[0] = sat_q15((a0 + real) >> 1), a[1] = sat_q15((a1 + imaginary) >> 1);
        b[0] = sat_q15((a0 - real) >> 1), b[1] = sat_q15((a1 - imaginary) >> 1);
      }
    }
}

void dct2_f32(f32 *restrict out, const f32 *restrict in, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    f32 sum = 0;
    for (size_t n = 0; n < count; ++n)
      sum += in[n] * cosf(DSP_PI / (f32)count * ((f32)n + 0.5f) * (f32)k);
    out[k] = sum;
  }
}

void walsh_hadamard_q31(q31 *data, size_t count) {
  for (size_t half = 1; half < count; half *= 2)
    for (size_t i = 0; i < count; i += 2 * half)
      for (size_t k = i; k < i + half; ++k) {
        q63 a = data[k], b = data[k + half];
        data[k] = sat_q31(a + b);
        data[k + half] = sat_q31(a - b);
      }
}

void haar_f32(f32 *restrict out, const f32 *restrict in, size_t count) {
  for (size_t i = 0; i < count / 2; ++i) {
    out[i] = (in[2 * i] + in[2 * i + 1]) * 0.5f;
    out[count / 2 + i] = (in[2 * i] - in[2 * i + 1]) * 0.5f;
  }
}
