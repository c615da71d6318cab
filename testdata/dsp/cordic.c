// Angles by rotation, roots bit by bit, and a sine by polynomial: no table is longer than a line.
#include "dsp.h"

// atan(2^-i) as a fraction of a turn in 2^32nds.
static const uint32_t turns[] = {
    0x20000000, 0x12e4051e, 0x09fb385b, 0x051111d4, 0x028b0d43, 0x0145d7e1, 0x00a2f61e, 0x00517c55,
    0x0028be53, 0x00145f2f, 0x000a2f98, 0x000517cc, 0x00028be6, 0x000145f3, 0x0000a2fa, 0x0000517d,
    0x000028be, 0x0000145f, 0x00000a30, 0x00000518, 0x0000028c, 0x00000146, 0x000000a3, 0x00000051,
};
#define STEPS (sizeof turns / sizeof *turns)

// The product of cos(atan(2^-i)), with 30 fraction bits.
#define GAIN 0x26dd3b6a

void cordic_sin_cos_q31(q31 angle, q31 *sine, q31 *cosine) {
  uint32_t rest = (uint32_t)angle;
  // Rotation converges within a quarter turn: outside of it, start on the other side.
  bool turned = rest + 0x40000000u > 0x80000000u;
  if (turned)
    rest += 0x80000000u;
  int32_t left = (int32_t)rest, x = GAIN, y = 0;
  for (size_t i = 0; i < STEPS; ++i) {
    int32_t dx = x >> i, dy = y >> i;
    if (left >= 0)
      x -= dy, y += dx, left -= (int32_t)turns[i];
    else
      x += dy, y -= dx, left += (int32_t)turns[i];
  }
  *sine = sat_q31((q63)(turned ? -y : y) * 2);
  *cosine = sat_q31((q63)(turned ? -x : x) * 2);
}

q31 cordic_atan2_q31(q31 y, q31 x) {
  // Two bits of room for the growth by rotation.
  int32_t a = x >> 2, b = y >> 2;
  uint32_t angle = 0;
  if (a < 0) {
    a = -a, b = -b;
    angle = 0x80000000u;
  }
  for (size_t i = 0; i < STEPS; ++i) {
    int32_t da = a >> i, db = b >> i;
    if (b > 0)
      a += db, b -= da, angle += turns[i];
    else
      a -= db, b += da, angle -= turns[i];
  }
  return (q31)angle;
}

uint32_t sqrt_u32(uint32_t value) {
  uint32_t root = 0, bit = 1u << 30;
  while (bit > value)
    bit >>= 2;
  for (; bit; bit >>= 2) {
    if (value >= root + bit) {
      value -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return root;
}

// 2^16 angles are a turn. Folded into a quarter, then a polynomial of degree 5.
q15 sin_q15(q15 angle) {
  int32_t z = angle;
  if (z > 16384)
    z = 32768 - z;
  else if (z < -16384)
    z = -32768 - z;
  // z / 2^14 in [-1, 1]: sin(pi/2 z) = z (1.57032 - 0.64211 z^2 + 0.07186 z^4)
  int32_t square = z * z >> 14;
  int32_t factor = 25728 - (square * 10520 >> 14) + ((square * square >> 14) * 1177 >> 14);
  return sat_q15((int32_t)((q63)z * factor >> 13));
}
