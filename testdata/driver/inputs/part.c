int part(int value) { return value * 3 + 1; }
