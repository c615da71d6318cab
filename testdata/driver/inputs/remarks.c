static int callee(int value) { return value * value; }
int caller(int value) { return callee(value) + callee(value + 1); }
