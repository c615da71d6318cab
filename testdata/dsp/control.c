// Controllers, transforms of motor control, and look-up with interpolation.
#include "dsp.h"

f32 pid_f32(struct pid *pid, f32 error) {
  pid->sum += error;
  f32 change = error - pid->last;
  pid->last = error;
  return pid->proportional * error + pid->integral * pid->sum + pid->derivative * change;
}

void clarke_q31(q31 a, q31 b, q31 *alpha, q31 *beta) {
  // beta = (a + 2 b) / sqrt(3)
  const q31 third = 0x49e69d16;
  *alpha = a;
  *beta = sat_q31((((q63)a + 2 * (q63)b) * third) >> 31);
}

void park_f32(f32 alpha, f32 beta, f32 sine, f32 cosine, f32 *direct, f32 *quadrature) {
  *direct = alpha * cosine + beta * sine;
  *quadrature = beta * cosine - alpha * sine;
}

f32 interpolate_f32(const f32 *table, size_t count, f32 at) {
  if (at <= 0)
    return table[0];
  if (at >= (f32)(count - 1))
    return table[count - 1];
  size_t index = (size_t)at;
  f32 fraction = at - (f32)index;
  return table[index] + fraction * (table[index + 1] - table[index]);
}

// The index has 20 fraction bits.
q15 interpolate_q15(const q15 *table, size_t count, uint32_t at) {
  size_t index = at >> 20;
  if (index >= count - 1)
    return table[count - 1];
  q63 fraction = at & 0xfffff;
  return (q15)(table[index] + (int32_t)((fraction * (table[index + 1] - table[index])) >> 20));
}
