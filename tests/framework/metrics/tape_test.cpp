#include "metrics/tape.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

using taped = std::vector<std::uint64_t>;

client::stamps stamps_of(std::uint64_t origin, const taped& at) {
  client::stamps out(origin);
  for (const std::uint64_t stamp : at)
    out.push(stamp);
  return out;
}

taped gaps_of(const tape& from) {
  taped out;
  from.for_each([&](std::uint64_t gap) { out.push_back(gap); });
  EXPECT_EQ(out.size(), from.size());
  return out;
}

TEST(tape, gaps_come_back_however_large_they_are) {
  tape t;
  EXPECT_EQ(gaps_of(t), taped{});
  t.append(stamps_of(5, {5, 6, 6, 1000}));
  t.append(stamps_of(0, {}));
  t.append(stamps_of(9, {70}));
  t.append(stamps_of(7, {8, 0xFFFFFFFE + 8ULL, 0xFFFFFFFF + 0xFFFFFFFEULL + 8, UINT64_MAX}));
  EXPECT_EQ(gaps_of(t), (taped{1, 0, 994, 0xFFFFFFFE, 0xFFFFFFFF,
                               UINT64_MAX - (0xFFFFFFFF + 0xFFFFFFFEULL + 8)}));
}

TEST(tape, the_time_before_the_first_event_is_not_a_gap) {
  tape t;
  t.append(stamps_of(0, {10, 30}));
  t.append(stamps_of(0, {1ULL << 40U, (1ULL << 40U) + 7}));
  t.append(stamps_of(0, {0xFFFFFFFF, 0xFFFFFFFF + 9ULL}));
  EXPECT_EQ(gaps_of(t), (taped{20, 7, 9}));
}

TEST(tape, requests_may_cross_its_chunks) {
  tape t;
  std::mt19937_64 random(2);
  taped expected;
  for (int i = 0; i < 500; ++i) {
    client::stamps events(random() % (1ULL << 50U));
    std::uint64_t now = events.origin();
    for (std::size_t n = random() % 300; n > 0; --n) {
      const std::uint64_t gap =
          random() % 16 == 0 ? random() % (1ULL << 40U) : random() % 1'000'000;
      if (!events.empty()) expected.push_back(gap);
      events.push(now += gap);
    }
    t.append(events);
  }
  EXPECT_EQ(gaps_of(t), expected);
}

TEST(tape, one_request_may_be_longer_than_a_chunk) {
  tape t;
  client::stamps events(0);
  for (std::uint64_t i = 0; i < 100'000; ++i)
    events.push(i * i);
  t.append(events);
  std::uint64_t next = 0;
  t.for_each([&](std::uint64_t gap) { ASSERT_EQ(gap, 2 * next++ + 1); });
  EXPECT_EQ(next, 99'999U);
}

TEST(tape, a_gap_costs_four_bytes) {
  tape t;
  for (int i = 0; i < 1000; ++i) {
    client::stamps events(0);
    for (std::uint64_t n = 0; n < 1001; ++n)
      events.push(n * 10'000'000);
    t.append(events);
  }
  EXPECT_EQ(t.size(), 1'000'000U);
  EXPECT_LE(t.bytes(), 4'000'000U + 70'000);
}

}  // namespace
}  // namespace inferbench::metrics
