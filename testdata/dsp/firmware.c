// A program for a bare microcontroller that uses the library and newlib.
#include "dsp.h"

#include <math.h>
#include <string.h>

static q15 samples[128], filtered[128];
static f32 spectrum[2 * 64], magnitudes[64];
volatile f32 loudest;

static void work(void) {
  static const q15 taps[] = {4096, 8192, 8192, 4096};
  static q15 state[3];
  for (int i = 0; i < 128; ++i)
    samples[i] = sin_q15((q15)(i * 1024));
  fir_q15(filtered, samples, 128, taps, 4, state);
  memset(spectrum, 0, sizeof spectrum);
  for (int i = 0; i < 64; ++i)
    spectrum[2 * i] = (f32)filtered[i];
  fft_radix4_f32(spectrum, 64);
  cmplx_magnitude_f32(magnitudes, spectrum, 64);
  loudest = magnitudes[max_index_f32(magnitudes, 32)] + sqrtf(loudest);
}

__attribute__((noreturn)) void reset(void) {
  for (;;)
    work();
}

extern char stack_top[];
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {stack_top, (void *)reset};
