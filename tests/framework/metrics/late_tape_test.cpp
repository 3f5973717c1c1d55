#include "metrics/late_tape.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

client::record record_of(std::size_t events, std::vector<client::late_event> late) {
  client::record out;
  out.tokens = client::stamps(0);
  for (std::size_t i = 0; i < events; ++i)
    out.tokens.push(i);
  out.late.events = std::move(late);
  return out;
}

std::vector<std::uint32_t> read(const late_tape& from, std::size_t events) {
  std::vector<std::uint32_t> out;
  late_tape::reader next(from);
  for (std::size_t i = 0; i < events; ++i)
    out.push_back(next.next());
  return out;
}

using numbers = std::vector<std::uint32_t>;

TEST(late_tape, a_late_event_has_its_lateness_and_every_other_event_has_0) {
  late_tape t;
  EXPECT_TRUE(t.empty());
  EXPECT_EQ(read(t, 3), (numbers{0, 0, 0}));
  t.append(record_of(2, {}));
  EXPECT_TRUE(t.empty());
  t.append(record_of(3, {{0, 7}, {2, 9}}));
  t.append(record_of(1, {{0, UINT32_MAX}}));
  t.append(record_of(4, {{2, 1}}));
  EXPECT_FALSE(t.empty());
  EXPECT_EQ(read(t, 12), (numbers{0, 0, 7, 0, 9, UINT32_MAX, 0, 0, 1, 0, 0, 0}));
}

TEST(late_tape, events_on_time_cost_nothing) {
  late_tape t;
  for (int i = 0; i < 1000; ++i)
    t.append(record_of(1000, {}));
  EXPECT_EQ(t.bytes(), 0U);
}

TEST(late_tape, a_record_of_unknown_lateness_has_no_late_events) {
  late_tape t;
  client::record unknown = record_of(2, {{0, 5}});
  unknown.late.unknown = true;
  t.append(unknown);
  t.append(record_of(1, {{0, 6}}));
  EXPECT_EQ(read(t, 3), (numbers{0, 0, 6}));
}

TEST(late_tape, entries_out_of_order_or_beyond_the_last_event_are_ignored) {
  late_tape t;
  t.append(record_of(3, {{1, 5}, {1, 6}, {0, 7}, {3, 8}}));
  t.append(record_of(2, {}));
  EXPECT_EQ(read(t, 5), (numbers{0, 5, 0, 0, 0}));
}

TEST(late_tape, is_read_back_however_often_events_are_late) {
  std::mt19937_64 random(3);
  late_tape t;
  numbers expected;
  for (int i = 0; i < 300; ++i) {
    const std::size_t events = random() % 40;
    const std::uint64_t rare = 1 + random() % 9;
    std::vector<client::late_event> late;
    for (std::uint32_t e = 0; e < events; ++e) {
      const auto ns = static_cast<std::uint32_t>(random() % rare == 0 ? random() : 0);
      if (ns != 0) late.push_back({e, ns});
      expected.push_back(ns);
    }
    t.append(record_of(events, late));
  }
  EXPECT_EQ(read(t, expected.size()), expected);
}

}  // namespace
}  // namespace inferbench::metrics
