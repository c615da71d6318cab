static inline int never(unsigned value) { return value < 0; }
