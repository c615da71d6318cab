/* Prints the CRC-32 of each file named on the command line. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static void fill_table(void) {
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    table[byte] = rest;
  }
}

static uint32_t update(uint32_t crc, const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; ++i)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
  return crc;
}

int main(int argc, char **argv) {
  fill_table();
  for (int i = 1; i < argc; ++i) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) {
      perror(argv[i]);
      return 1;
    }
    unsigned char buffer[4096];
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
      crc = update(crc, buffer, n);
    fclose(file);
    printf("%08x  %s\n", (unsigned)(crc ^ 0xFFFFFFFFu), argv[i]);
  }
  return 0;
}
