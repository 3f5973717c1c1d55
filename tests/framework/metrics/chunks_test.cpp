#include "metrics/chunks.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

TEST(chunks, elements_come_out_in_order_across_chunks) {
  for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 8U, 1001U}) {
    chunks<int, 4> list;
    std::vector<int> expected;
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back(static_cast<int>(i * 7));
      expected.push_back(static_cast<int>(i * 7));
    }
    std::vector<int> found;
    list.for_each([&](int value) { found.push_back(value); });
    EXPECT_EQ(found, expected);
    EXPECT_EQ(list.size(), count);
  }
}

TEST(chunks, elements_stay_where_they_are) {
  chunks<int, 4> list;
  list.push_back(1);
  const int* first = nullptr;
  list.for_each([&](const int& value) { first = &value; });
  for (int i = 0; i < 1000; ++i)
    list.push_back(i);
  const int* still = nullptr;
  list.for_each([&](const int& value) { still = still == nullptr ? &value : still; });
  EXPECT_EQ(first, still);
}

TEST(chunks, an_element_costs_little_more_than_its_size) {
  chunks<std::uint64_t, 128> list;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    list.push_back(i);
  EXPECT_LE(list.bytes(), 100'000U * 8 + 128 * 8 + 2048 * 8);
}

}  // namespace
}  // namespace inferbench::metrics
