int first(void) { return undeclared; }
int second(void) { retrun 1; }
struct incomplete third;
int fourth(int, int);
int fifth(void) { return fourth(1); }
