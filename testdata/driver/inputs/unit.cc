// C++ with templates, virtual calls, exceptions and a static initializer.
#include "local.hh"

namespace shapes {
struct Shape {
  virtual ~Shape();
  virtual double area() const = 0;
};
Shape::~Shape() = default;

struct Square final : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  double side;
};

template <typename T, int count> T total(const T (&values)[count]) {
  T sum{};
  for (const T &value : values)
    sum += value;
  return sum;
}

static Pair<int> start(counter_start(), 2);

int guarded(int value) {
  try {
    if (value < 0)
      throw value;
    Square square(value);
    const Shape &shape = square;
    return static_cast<int>(shape.area()) + start.first;
  } catch (int thrown) {
    return -thrown;
  }
}

double all() {
  const double values[] = {1.5, 2.5, 3.5};
  return total(values) + Pair<int>(1, 2).sum();
}
} // namespace shapes
