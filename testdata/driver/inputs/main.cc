int counter_start() { return 5; }
namespace shapes { int guarded(int); }
int main() { return shapes::guarded(-3) == 3 ? 0 : 1; }
