#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
__device__ int on_device(int value) { return value + 1; }
__host__ int on_host(int value) { return value - 1; }
