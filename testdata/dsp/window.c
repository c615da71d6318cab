// Windows.
#include "dsp.h"

#include <math.h>

static f32 phase(size_t at, size_t count) { return 2 * DSP_PI * (f32)at / (f32)(count - 1); }

void window_hann_f32(f32 *out, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = 0.5f - 0.5f * cosf(phase(i, count));
}

void window_hamming_f32(f32 *out, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = 0.54f - 0.46f * cosf(phase(i, count));
}

void window_blackman_f32(f32 *out, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = 0.42f - 0.5f * cosf(phase(i, count)) + 0.08f * cosf(2 * phase(i, count));
}

void window_apply_q15(q15 *restrict data, const q15 *restrict window, size_t count) {
  for (size_t i = 0; i < count; ++i)
    data[i] = sat_q15(data[i] * window[i] >> 15);
}
