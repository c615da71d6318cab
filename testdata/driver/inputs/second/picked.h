#define PICKED 2
