import numbers;
int eight() { return seven() + 1; }
