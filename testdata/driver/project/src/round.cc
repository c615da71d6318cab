#include "tally.h"

template <int to> static int nearest(int value) { return (value + to / 2) / to * to; }

extern "C" int rounded(int value) { return nearest<10>(value); }
