int tentative_in_library;
__attribute__((visibility("hidden"))) int hidden_one(int value) { return value + 1; }
int exported(int value) { return hidden_one(value) + tentative_in_library; }
