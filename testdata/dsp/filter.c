// Filters in the time domain.
#include "dsp.h"

// The sample `back` steps before `at`, from this block or from the state behind it.
#define SAMPLE(in, at, back, state, length)                                                                          \
  ((at) >= (back) ? (in)[(at) - (back)] : (state)[(length) - 1 + (at) - (back)])

#define KEEP_STATE(type)                                                                                             \
  do {                                                                                                               \
    size_t kept = length - 1;                                                                                        \
    for (size_t i = 0; i < kept; ++i)                                                                                \
      state[i] = count + i >= kept ? in[count + i - kept] : state[i + count];                                        \
  } while (0)

void fir_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps, size_t length,
             f32 *restrict state) {
  for (size_t n = 0; n < count; ++n) {
    f32 sum = 0;
    for (size_t k = 0; k < length; ++k)
      sum += taps[k] * SAMPLE(in, n, k, state, length);
    out[n] = sum;
  }
  KEEP_STATE(f32);
}

void fir_q15(q15 *restrict out, const q15 *restrict in, size_t count, const q15 *restrict taps, size_t length,
             q15 *restrict state) {
  for (size_t n = 0; n < count; ++n) {
    q63 sum = 0;
    for (size_t k = 0; k < length; ++k)
      sum += (int32_t)taps[k] * SAMPLE(in, n, k, state, length);
    out[n] = (q15)(sum >> 15 > 32767 ? 32767 : sum >> 15 < -32768 ? -32768 : sum >> 15);
  }
  KEEP_STATE(q15);
}

void fir_q31(q31 *restrict out, const q31 *restrict in, size_t count, const q31 *restrict taps, size_t length,
             q31 *restrict state) {
  for (size_t n = 0; n < count; ++n) {
    q63 sum = 0;
    for (size_t k = 0; k < length; ++k)
      sum += (q63)taps[k] * SAMPLE(in, n, k, state, length) >> 8;
    out[n] = sat_q31(sum >> 23);
  }
  KEEP_STATE(q31);
}

size_t fir_decimate_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps,
                        size_t length, size_t factor) {
  size_t produced = 0;
  for (size_t n = 0; n < count; n += factor) {
    f32 sum = 0;
    for (size_t k = 0; k < length && k <= n; ++k)
      sum += taps[k] * in[n - k];
    out[produced++] = sum;
  }
  return produced;
}

size_t fir_interpolate_f32(f32 *restrict out, const f32 *restrict in, size_t count, const f32 *restrict taps,
                           size_t length, size_t factor) {
  size_t produced = 0;
  for (size_t n = 0; n < count; ++n)
    for (size_t phase = 0; phase < factor; ++phase) {
      f32 sum = 0;
      for (size_t k = phase, back = 0; k < length && back <= n; k += factor, ++back)
        sum += taps[k] * in[n - back];
      out[produced++] = sum;
    }
  return produced;
}

void biquad_df1_f32(f32 *restrict out, const f32 *restrict in, size_t count, const struct biquad *stages,
                    size_t stage_count, f32 (*restrict state)[4]) {
  for (size_t s = 0; s < stage_count; ++s) {
    const struct biquad *c = &stages[s];
    f32 x1 = state[s][0], x2 = state[s][1], y1 = state[s][2], y2 = state[s][3];
    const f32 *from = s == 0 ? in : out;
    for (size_t n = 0; n < count; ++n) {
      f32 x = from[n];
      f32 y = c->b0 * x + c->b1 * x1 + c->b2 * x2 - c->a1 * y1 - c->a2 * y2;
      x2 = x1, x1 = x, y2 = y1, y1 = y;
      out[n] = y;
    }
    state[s][0] = x1, state[s][1] = x2, state[s][2] = y1, state[s][3] = y2;
  }
}

void biquad_df2t_f32(f32 *restrict out, const f32 *restrict in, size_t count, const struct biquad *stages,
                     size_t stage_count, f32 (*restrict state)[2]) {
  for (size_t s = 0; s < stage_count; ++s) {
    const struct biquad *c = &stages[s];
    f32 d1 = state[s][0], d2 = state[s][1];
    const f32 *from = s == 0 ? in : out;
    for (size_t n = 0; n < count; ++n) {
      f32 x = from[n];
      f32 y = c->b0 * x + d1;
      d1 = c->b1 * x - c->a1 * y + d2;
      d2 = c->b2 * x - c->a2 * y;
      out[n] = y;
    }
    state[s][0] = d1, state[s][1] = d2;
  }
}

void biquad_df1_q15(q15 *restrict out, const q15 *restrict in, size_t count, const q15 coefficients[5], int shift,
                    q15 state[4]) {
  for (size_t n = 0; n < count; ++n) {
    q63 sum = (q63)coefficients[0] * in[n] + (q63)coefficients[1] * state[0] + (q63)coefficients[2] * state[1] -
              (q63)coefficients[3] * state[2] - (q63)coefficients[4] * state[3];
    q15 y = sat_q15(sat_q31(sum >> (15 - shift)));
    state[1] = state[0], state[0] = in[n];
    state[3] = state[2], state[2] = y;
    out[n] = y;
  }
}

void one_pole_f32(f32 *restrict out, const f32 *restrict in, size_t count, f32 weight, f32 *state) {
  f32 level = *state;
  for (size_t n = 0; n < count; ++n)
    out[n] = level += weight * (in[n] - level);
  *state = level;
}

void lms_f32(f32 *restrict out, f32 *restrict error, const f32 *restrict in, const f32 *restrict wanted, size_t count,
             f32 *restrict taps, size_t length, f32 step, f32 *restrict state) {
  // state holds the last `length` inputs, newest first.
  for (size_t n = 0; n < count; ++n) {
    for (size_t k = length - 1; k > 0; --k)
      state[k] = state[k - 1];
    state[0] = in[n];
    f32 y = dot_f32(taps, state, length);
    out[n] = y;
    error[n] = wanted[n] - y;
    for (size_t k = 0; k < length; ++k)
      taps[k] += step * error[n] * state[k];
  }
}

f32 goertzel_f32(const f32 *in, size_t count, f32 cycles) {
  f32 angle = 2 * DSP_PI * cycles / (f32)count, weight = 2 * __builtin_cosf(angle), before = 0, last = 0;
  for (size_t n = 0; n < count; ++n) {
    f32 now = in[n] + weight * last - before;
    before = last, last = now;
  }
  return last * last + before * before - weight * last * before;
}

void median3_q15(q15 *restrict out, const q15 *restrict in, size_t count) {
  for (size_t n = 0; n < count; ++n) {
    q15 a = in[n ? n - 1 : 0], b = in[n], c = in[n + 1 < count ? n + 1 : n];
    q15 low = a < b ? a : b, high = a < b ? b : a;
    out[n] = c < low ? low : c > high ? high : c;
  }
}
