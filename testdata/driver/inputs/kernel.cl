__kernel void scale(__global float *out, __global const float *in, float by) {
  size_t at = get_global_id(0);
  out[at] = in[at] * by;
}
