#include "engines/python-engine/clock_tie.hpp"

#include <gtest/gtest.h>

namespace python_engine {
namespace {

TEST(clock_tie, is_unknown_without_an_exchange) {
  const clock_tie tie;
  EXPECT_EQ(tie.bound_ns(), -1);
  EXPECT_EQ(tie.to_host(77), 77U);
}

TEST(clock_tie, applies_no_offset_if_both_clocks_can_be_the_same) {
  clock_tie tie;
  tie.add(1000, 1090, 1100);  // ahead by 40, with an error of 50
  EXPECT_EQ(tie.offset_ns(), 0);
  EXPECT_EQ(tie.bound_ns(), 50);
  EXPECT_EQ(tie.to_host(1090), 1090U);
}

TEST(clock_tie, uses_the_exchange_with_the_shortest_way) {
  clock_tie tie;
  tie.add(1000, 6060, 1100);
  EXPECT_EQ(tie.offset_ns(), 5010);
  tie.add(2000, 7007, 2010);  // at 2005 the worker had 7007
  EXPECT_EQ(tie.offset_ns(), 5002);
  EXPECT_EQ(tie.bound_ns(), 5);
  tie.add(3000, 1, 4000);
  EXPECT_EQ(tie.offset_ns(), 5002);
  EXPECT_EQ(tie.to_host(7007), 2005U);
}

TEST(clock_tie, keeps_the_unknown_time_and_survives_any_clock) {
  clock_tie tie;
  tie.add(1'000'000, 10, 1'000'010);  // the worker's clock is behind
  EXPECT_EQ(tie.offset_ns(), -999'995);
  EXPECT_EQ(tie.to_host(10), 1'000'005U);
  EXPECT_EQ(tie.to_host(0), 0U);
  clock_tie wild;
  wild.add(1000, ~std::uint64_t{0}, 1002);
  EXPECT_GT(wild.to_host(5), 0U);
}

}  // namespace
}  // namespace python_engine
