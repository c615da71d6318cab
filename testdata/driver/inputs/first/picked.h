#define PICKED 1
