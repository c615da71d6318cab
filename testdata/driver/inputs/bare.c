// Freestanding, for any target.
unsigned checksum(const unsigned char *bytes, unsigned long count) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < count; ++i)
    sum = (sum << 1 | sum >> 31) ^ bytes[i];
  return sum;
}
