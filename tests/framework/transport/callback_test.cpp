#include "transport/callback.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

struct counter {
  void add(int n) { sum += n; }
  int sum = 0;
};

TEST(callback, calls_a_member_of_the_object_it_was_bound_to) {
  counter c;
  const auto call = callback<void(int)>::to<&counter::add>(c);
  call(3);
  call(4);
  EXPECT_EQ(c.sum, 7);
}

TEST(callback, calls_a_function_object_and_hands_back_its_result) {
  int calls = 0;
  auto twice = [&](int n) {
    ++calls;
    return 2 * n;
  };
  const auto call = callback<int(int)>::of(twice);
  EXPECT_EQ(call(21), 42);
  EXPECT_EQ(calls, 1);
}

TEST(callback, is_false_until_bound) {
  EXPECT_FALSE(callback<void()>{});
  auto nothing = [] {};
  EXPECT_TRUE(callback<void()>::of(nothing));
}

}  // namespace
}  // namespace inferbench::transport
