// Statistics of a block.
#include "dsp.h"

#include <math.h>

f32 mean_f32(const f32 *in, size_t count) {
  f32 sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += in[i];
  return sum / (f32)count;
}

f32 variance_f32(const f32 *in, size_t count) {
  f32 mean = mean_f32(in, count), sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += (in[i] - mean) * (in[i] - mean);
  return sum / (f32)(count - 1);
}

f32 rms_f32(const f32 *in, size_t count) { return sqrtf(dot_f32(in, in, count) / (f32)count); }

q15 mean_q15(const q15 *in, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += in[i];
  return (q15)(sum / (int32_t)count);
}

q63 power_q15(const q15 *in, size_t count) { return dot_q15(in, in, count); }

size_t max_index_f32(const f32 *in, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; ++i)
    if (in[i] > in[best])
      best = i;
  return best;
}

size_t min_index_q31(const q31 *in, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; ++i)
    if (in[i] < in[best])
      best = i;
  return best;
}
