export module numbers;
export int seven() { return 7; }
