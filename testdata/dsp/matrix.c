// Matrices, row by row.
#include "dsp.h"

#include <math.h>

void mat_mult_f32(f32 *restrict out, const f32 *restrict a, const f32 *restrict b, size_t rows, size_t inner,
                  size_t columns) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) {
      f32 sum = 0;
      for (size_t k = 0; k < inner; ++k)
        sum += a[r * inner + k] * b[k * columns + c];
      out[r * columns + c] = sum;
    }
}

void mat_mult_q15(q15 *restrict out, const q15 *restrict a, const q15 *restrict b, size_t rows, size_t inner,
                  size_t columns) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) {
      q63 sum = 0;
      for (size_t k = 0; k < inner; ++k)
        sum += a[r * inner + k] * b[k * columns + c];
      out[r * columns + c] = sat_q15(sat_q31(sum >> 15));
    }
}

void mat_vec_q7(q7 *restrict out, const q7 *restrict matrix, const q7 *restrict vector, size_t rows, size_t columns,
                int shift) {
  for (size_t r = 0; r < rows; ++r)
    out[r] = sat_q7(dot_q7(matrix + r * columns, vector, columns) >> shift);
}

void mat_transpose_f32(f32 *restrict out, const f32 *restrict in, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      out[c * rows + r] = in[r * columns + c];
}

// Gauss and Jordan with the largest pivot of the column; destroys `in`.
bool mat_inverse_f32(f32 *restrict out, f32 *restrict in, size_t size) {
  for (size_t i = 0; i < size * size; ++i)
    out[i] = i / size == i % size;
  for (size_t column = 0; column < size; ++column) {
    size_t pivot = column;
    for (size_t r = column + 1; r < size; ++r)
      if (fabsf(in[r * size + column]) > fabsf(in[pivot * size + column]))
        pivot = r;
    if (in[pivot * size + column] == 0)
      return false;
    for (size_t c = 0; pivot != column && c < size; ++c) {
      f32 kept = in[pivot * size + c];
      in[pivot * size + c] = in[column * size + c], in[column * size + c] = kept;
      kept = out[pivot * size + c];
      out[pivot * size + c] = out[column * size + c], out[column * size + c] = kept;
    }
    f32 by = 1 / in[column * size + column];
    for (size_t c = 0; c < size; ++c)
      in[column * size + c] *= by, out[column * size + c] *= by;
    for (size_t r = 0; r < size; ++r) {
      f32 factor = in[r * size + column];
      for (size_t c = 0; r != column && c < size; ++c) {
        in[r * size + c] -= factor * in[column * size + c];
        out[r * size + c] -= factor * out[column * size + c];
      }
    }
  }
  return true;
}

bool mat_cholesky_f32(f32 *restrict out, const f32 *restrict in, size_t size) {
  for (size_t r = 0; r < size; ++r)
    for (size_t c = 0; c < size; ++c) {
      f32 sum = c <= r ? in[r * size + c] : 0;
      for (size_t k = 0; c <= r && k < c; ++k)
        sum -= out[r * size + k] * out[c * size + k];
      if (c == r && sum <= 0)
        return false;
      out[r * size + c] = c > r ? 0 : c == r ? sqrtf(sum) : sum / out[c * size + c];
    }
  return true;
}
