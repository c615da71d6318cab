// What C++ does to control flow and to calls, printed.
#include <coroutine>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct Line : Shape {
  int area() const override { return 0; }
};

static int checked(int n) {
  if (n % 3 == 0)
    throw std::runtime_error("three");
  if (n % 5 == 0)
    throw n;
  return n;
}

static int survives(int n) {
  int sum = 0;
  for (int i = 1; i < n; i++) {
    try {
      std::string text(i, 'x');
      sum += checked(i) + int(text.size());
    } catch (const std::exception &error) {
      sum += 100 + int(std::string(error.what()).size());
    } catch (int thrown) {
      sum -= thrown;
    }
  }
  return sum;
}

static int &counter() {
  static int count = survives(4);
  return count;
}

struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) { value = next; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
static Numbers fibonacci(int count) {
  int a = 0, b = 1;
  for (int i = 0; i < count; i++) {
    co_yield a;
    int next = a + b;
    a = b;
    b = next;
  }
}

int main() {
  std::map<std::string, int> words;
  for (const char *word : {"one", "two", "one", "three", "two", "one"})
    ++words[word];
  for (const auto &[word, count] : words)
    std::printf("%s %d\n", word.c_str(), count);
  std::vector<Shape *> shapes = {new Square(3), new Line, new Square(5)};
  int area = 0, squares = 0;
  for (Shape *shape : shapes) {
    area += shape->area();
    squares += dynamic_cast<Square *>(shape) != nullptr;
    delete shape;
  }
  std::printf("%d %d %d %d\n", area, squares, survives(20), ++counter());
  Numbers numbers = fibonacci(12);
  int sum = 0;
  auto add = [&sum](int n) { sum += n; };
  while (numbers.handle.resume(), !numbers.handle.done())
    add(numbers.handle.promise().value);
  numbers.handle.destroy();
  std::printf("%d\n", sum);
}
