#include "simulator/media_queue.hpp"

#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

media_job queued_job(std::string id, std::size_t bytes = 100) {
  return {std::string(bytes, 'b'), std::move(id), "/path", {}};
}

TEST(media_queue, gives_the_jobs_in_their_order_and_then_ends) {
  media_queue queue({});
  const auto* const bytes = [&] {
    media_job first = queued_job("a");
    const char* const at = first.body.data();
    EXPECT_TRUE(queue.push(std::move(first)));
    return at;
  }();
  EXPECT_TRUE(queue.push(queued_job("b")));
  queue.close();
  const auto a = queue.pop();
  ASSERT_TRUE(a);
  EXPECT_EQ(a->request_id, "a");
  EXPECT_EQ(a->body.data(), bytes) << "moved, not copied";
  EXPECT_EQ(queue.pop()->request_id, "b");
  EXPECT_FALSE(queue.pop());
}

TEST(media_queue, refuses_a_job_beyond_its_entries_and_leaves_it_as_it_was) {
  media_queue queue({.entries = 2});
  EXPECT_TRUE(queue.push(queued_job("a")));
  EXPECT_TRUE(queue.push(queued_job("b")));
  media_job third = queued_job("c");
  EXPECT_FALSE(queue.push(std::move(third)));
  EXPECT_EQ(third.request_id, "c");  // NOLINT(bugprone-use-after-move): this is what is tested
  EXPECT_EQ(third.body.size(), 100U);
  EXPECT_EQ(queue.pop()->request_id, "a");
  EXPECT_TRUE(queue.push(std::move(third)));
  EXPECT_FALSE(queue.push(queued_job("d")));
}

TEST(media_queue, refuses_a_job_beyond_its_bytes_with_the_job_in_progress) {
  media_queue queue({.bytes = 1000});
  EXPECT_TRUE(queue.push(queued_job("a", 600)));
  EXPECT_FALSE(queue.push(queued_job("b", 600)));
  EXPECT_TRUE(queue.push(queued_job("c", 300)));
  EXPECT_EQ(queue.pop()->request_id, "a");
  EXPECT_FALSE(queue.push(queued_job("d", 600))) << "a is in progress";
  EXPECT_EQ(queue.pop()->request_id, "c");
  EXPECT_TRUE(queue.push(queued_job("e", 600))) << "a is done";
}

TEST(media_queue, takes_a_job_of_any_size_if_there_is_no_other) {
  media_queue queue({.bytes = 1000});
  EXPECT_TRUE(queue.push(queued_job("a", 5000)));
  EXPECT_FALSE(queue.push(queued_job("b", 1)));
  EXPECT_EQ(queue.pop()->request_id, "a");
  EXPECT_FALSE(queue.push(queued_job("c", 1)));
  queue.close();
  EXPECT_FALSE(queue.pop());
}

TEST(media_queue, counts_copied_contents_too) {
  media_queue queue({.bytes = 10'000});
  media_job first = queued_job("a");
  first.media.emplace_back().copied = std::string(20'000, 'c');
  EXPECT_TRUE(queue.push(std::move(first)));
  EXPECT_FALSE(queue.push(queued_job("b")));
}

TEST(media_queue, loses_nothing_between_two_threads) {
  media_queue queue({.entries = 4, .bytes = 1 << 20U});
  std::string seen;
  std::thread consumer([&] {
    while (const auto next = queue.pop())
      seen += next->request_id + next->body.substr(0, 1);
  });
  std::string accepted;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = std::to_string(i);
    if (queue.push(queued_job(id))) accepted += id + "b";
  }
  queue.close();
  consumer.join();
  EXPECT_EQ(seen, accepted);
}

}  // namespace
}  // namespace inferbench::simulator
