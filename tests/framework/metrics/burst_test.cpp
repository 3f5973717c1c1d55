#include "metrics/burst.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::success;

/// Records of `count` requests; request i is sent at i ms.
std::vector<client::record> leaving(std::uint64_t count) {
  std::vector<client::record> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto at = static_cast<double>(i);
    out.push_back(success({i, 0, at, {at + 100}, 0, 1, 1}));
  }
  return out;
}

std::string json_of(const burst& b) {
  ifb::json_writer out;
  out.begin_object();
  b.write(out);
  out.end_object();
  return out.take();
}

std::string told(const context& run, const std::vector<client::record>& records) {
  burst b(run);
  for (const client::record& r : records)
    b.add(r);
  return json_of(b);
}

context planned(std::int64_t count) {
  context run;
  run.planned = count;
  return run;
}

TEST(burst, counts_simultaneous_requests_and_the_time_to_send_them) {
  EXPECT_EQ(told(planned(27), leaving(27)), R"({"burst": {"requests": 27, "seconds": 0.026}})");
}

TEST(burst, is_no_larger_than_the_cap) {
  context run = planned(27);
  run.max_concurrency = 11;
  EXPECT_EQ(told(run, leaving(27)), R"({"burst": {"requests": 11, "seconds": 0.01}})");
}

TEST(burst, one_request_is_not_a_burst) {
  EXPECT_EQ(told(planned(1), leaving(1)), "{}");
  context run = planned(5);
  run.max_concurrency = 1;
  EXPECT_EQ(told(run, leaving(5)), "{}");
}

TEST(burst, requests_that_are_due_one_after_another_are_not_a_burst) {
  context run = planned(5);
  run.request_rate = 100;
  EXPECT_EQ(told(run, leaving(5)), "{}");
  run = planned(5);
  run.self_timed = true;
  EXPECT_EQ(told(run, leaving(5)), "{}");
}

TEST(burst, unsent_and_waiting_requests_are_not_part_of_it) {
  auto records = leaving(6);
  records[5].sent_ns = 0;
  records[4].session = "a conversation";
  EXPECT_EQ(told(planned(6), records), R"({"burst": {"requests": 4, "seconds": 0.003}})");
}

TEST(burst, a_schedule_of_unknown_length_has_one_too) {
  EXPECT_EQ(told(planned(0), leaving(3)), R"({"burst": {"requests": 3, "seconds": 0.002}})");
}

}  // namespace
}  // namespace inferbench::metrics
