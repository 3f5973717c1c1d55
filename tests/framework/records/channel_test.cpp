#include "records/channel.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace inferbench::records {
namespace {

using steady = std::chrono::steady_clock;

const steady::time_point long_ago{};
const steady::time_point never = steady::time_point::max();

client::record numbered(std::uint64_t sequence) {
  client::record out;
  out.sequence = sequence;
  return out;
}

std::vector<std::uint64_t> sequences(const std::vector<client::record>& records) {
  std::vector<std::uint64_t> out;
  for (const auto& r : records)
    out.push_back(r.sequence);
  return out;
}

TEST(channel, a_deadline_in_the_past_polls) {
  channel c(1);
  std::vector<client::record> out;
  EXPECT_TRUE(c.pop_all(out, long_ago));
  EXPECT_TRUE(out.empty());
  c.push(0, numbered(7));
  EXPECT_TRUE(c.pop_all(out, long_ago));
  EXPECT_EQ(sequences(out), std::vector<std::uint64_t>{7});
}

TEST(channel, hands_out_in_the_order_of_each_producer_and_appends) {
  channel c(2);
  c.push(1, numbered(10));
  c.push(0, numbered(0));
  c.push(1, numbered(11));
  std::vector<client::record> out;
  out.push_back(numbered(99));
  c.pop_all(out, long_ago);
  EXPECT_EQ(sequences(out), (std::vector<std::uint64_t>{99, 0, 10, 11}));
}

TEST(channel, ends_when_all_producers_have_closed_and_loses_nothing) {
  channel c(2);
  c.push(0, numbered(1));
  c.close(0);
  c.close(0);  // a second call makes no difference
  std::vector<client::record> out;
  EXPECT_TRUE(c.pop_all(out, long_ago));
  c.push(1, numbered(2));
  c.close(1);
  EXPECT_FALSE(c.pop_all(out, never));
  EXPECT_EQ(sequences(out), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(c.pop_all(out, never));
}

TEST(channel, without_producers_it_has_ended) {
  channel c(0);
  std::vector<client::record> out;
  EXPECT_FALSE(c.pop_all(out, never));
}

TEST(channel, a_full_batch_wakes_the_collector_before_its_deadline) {
  channel c(2, 3);
  std::vector<client::record> out;
  std::thread worker([&] {
    for (std::uint64_t i = 0; i < 3; ++i)
      c.push(i % 2, numbered(i));
  });
  while (out.size() < 3)
    EXPECT_TRUE(c.pop_all(out, never));
  worker.join();
  EXPECT_EQ(out.size(), 3U);
}

TEST(channel, the_last_close_wakes_the_collector) {
  channel c(1);
  std::thread worker([&] { c.close(0); });
  std::vector<client::record> out;
  EXPECT_FALSE(c.pop_all(out, never));
  worker.join();
}

TEST(channel, many_workers_lose_and_double_nothing) {
  constexpr std::uint64_t each = 5000;
  constexpr std::size_t workers = 4;
  channel c(workers, 64);
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([&c, w] {
      for (std::uint64_t i = 0; i < each; ++i)
        c.push(w, numbered(w * each + i));
      c.close(w);
    });
  std::vector<client::record> out;
  std::vector<std::uint64_t> next(workers, 0);
  bool more = true;
  while (more) {
    out.clear();
    more = c.pop_all(out, never);
    for (const auto& r : out)
      EXPECT_EQ(r.sequence % each, next[r.sequence / each]++);
  }
  for (std::thread& t : threads)
    t.join();
  EXPECT_EQ(next, std::vector<std::uint64_t>(workers, each));
}

}  // namespace
}  // namespace inferbench::records
