// Convolutions, correlation and pooling.
#include "dsp.h"

void conv_f32(f32 *restrict out, const f32 *restrict a, size_t a_count, const f32 *restrict b, size_t b_count) {
  for (size_t n = 0; n < a_count + b_count - 1; ++n) {
    size_t first = n >= b_count ? n - b_count + 1 : 0, last = n < a_count ? n : a_count - 1;
    f32 sum = 0;
    for (size_t k = first; k <= last; ++k)
      sum += a[k] * b[n - k];
    out[n] = sum;
  }
}

void conv_q15(q15 *restrict out, const q15 *restrict a, size_t a_count, const q15 *restrict b, size_t b_count) {
  for (size_t n = 0; n < a_count + b_count - 1; ++n) {
    size_t first = n >= b_count ? n - b_count + 1 : 0, last = n < a_count ? n : a_count - 1;
    q63 sum = 0;
    for (size_t k = first; k <= last; ++k)
      sum += a[k] * b[n - k];
    out[n] = sat_q15(sat_q31(sum >> 15));
  }
}

void correlate_f32(f32 *restrict out, const f32 *restrict a, size_t a_count, const f32 *restrict b, size_t b_count) {
  for (size_t lag = 0; lag + b_count <= a_count; ++lag)
    out[lag] = dot_f32(a + lag, b, b_count);
}

// A kernel of 3 by 3 with zeros around the picture.
void conv2d_q7(q7 *restrict out, const q7 *restrict in, size_t height, size_t width, const q7 kernel[9], int shift) {
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      int32_t sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          size_t row = y + (size_t)dy, column = x + (size_t)dx;
          if (row < height && column < width)
            sum += in[row * width + column] * kernel[3 * (dy + 1) + dx + 1];
        }
      out[y * width + x] = sat_q7(sum >> shift);
    }
}

void max_pool_q7(q7 *restrict out, const q7 *restrict in, size_t height, size_t width) {
  for (size_t y = 0; y + 1 < height; y += 2)
    for (size_t x = 0; x + 1 < width; x += 2) {
      q7 most = in[y * width + x];
      for (size_t i = 1; i < 4; ++i) {
        q7 other = in[(y + i / 2) * width + x + i % 2];
        most = other > most ? other : most;
      }
      *out++ = most;
    }
}
