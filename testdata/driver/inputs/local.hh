#pragma once
int counter_start();
template <typename T> struct Pair {
  T first, second;
  Pair(T first, T second) : first(first), second(second) {}
  T sum() const { return first + second; }
};
