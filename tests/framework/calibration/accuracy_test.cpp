#include "calibration/accuracy.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::calibration {
namespace {

constexpr std::uint64_t start = 7'000'000'000'000;

client::record record_with(const std::vector<std::uint64_t>& at) {
  client::record out;
  out.status = IFB_OK;
  out.start_ns = start;
  out.tokens = client::stamps(start);
  for (const std::uint64_t one : at)
    out.tokens.push(start + one);
  return out;
}

served written_at(const std::vector<std::uint64_t>& at, bool role_event = false) {
  served out;
  out.role_event = role_event;
  out.finished = true;
  for (const std::uint64_t one : at)
    out.event_ns.push_back(start + one);
  out.written_ns = out.event_ns;
  return out;
}

/// Like written_at(), but each write takes `took` ns.
served written_slowly(const std::vector<std::uint64_t>& at, std::uint64_t took) {
  served out = written_at(at);
  for (std::uint64_t& one : out.written_ns)
    one += took;
  return out;
}

TEST(accuracy, errors_are_measured_less_true) {
  truth_comparison both;
  both.add(record_with({1'000'000, 3'500'000, 4'000'000}),
           written_at({900'000, 3'000'000, 3'900'000}));
  const accuracy found = both.finish();
  EXPECT_EQ(found.streams, 1U);
  EXPECT_EQ(found.events, 3U);
  EXPECT_EQ(found.early_events, 0U);
  EXPECT_NEAR(found.ttft.mean, 0.1, 1e-9);
  EXPECT_NEAR(found.ttft.max, 0.1, 1e-9);
  // Gaps of 2.5 and 0.5 ms instead of the true 2.1 and 0.9 ms.
  EXPECT_NEAR(found.itl.mean, 0.0, 1e-9);
  EXPECT_NEAR(found.itl.max, 0.4, 1e-9);
  EXPECT_NEAR(found.itl.p50, 0.0, 1e-9);
  EXPECT_NEAR(found.e2el.mean, 0.1, 1e-9);
  EXPECT_NEAR(found.delay.p50, 0.1, 1e-9);
  EXPECT_NEAR(found.delay.max, 0.5, 1e-9);
  EXPECT_NEAR(found.p99_itl, (0.5 + 0.99 * 2.0) - (0.9 + 0.99 * 1.2), 1e-9);
  EXPECT_NEAR(found.p99_ttft, 0.1, 1e-9);
  EXPECT_NEAR(found.p99_e2el, 0.1, 1e-9);
}

TEST(accuracy, an_error_that_the_server_may_have_caused_is_not_proven_to_be_the_clients) {
  truth_comparison both;
  // Each stamp lies within its write, and each gap within the range that the writes allow.
  both.add(record_with({1'000'000, 2'300'000}), written_slowly({900'000, 2'000'000}, 300'000));
  const accuracy found = both.finish();
  EXPECT_NEAR(found.ttft.mean, 0.1, 1e-9);
  EXPECT_EQ(found.ttft_checked.proven.mean, 0.0);
  EXPECT_EQ(found.itl_checked.proven.p99, 0.0);
  EXPECT_EQ(found.e2el_checked.proven.p50, 0.0);
}

TEST(accuracy, an_error_outside_of_the_writes_is_proven_to_be_the_clients) {
  truth_comparison both;
  both.add(record_with({1'500'000, 1'500'000}), written_slowly({900'000, 2'000'000}, 100'000));
  const accuracy found = both.finish();
  EXPECT_NEAR(found.ttft_checked.proven.mean, 0.5, 1e-9);
  EXPECT_NEAR(found.ttft_checked.proven.p99, 0.5, 1e-9);
  EXPECT_NEAR(found.ttft_checked.measured.p99, 1.5, 1e-9);
  // The client measured a gap of 0 ms, although the true gap is at least 1.0 ms.
  EXPECT_NEAR(found.itl_checked.proven.p50, 1.0, 1e-9);
  EXPECT_NEAR(found.e2el_checked.proven.mean, 0.5, 1e-9);
}

TEST(accuracy, an_event_may_be_seen_before_it_was_written) {
  truth_comparison both;
  both.add(record_with({1'000, 3'000}), written_at({2'000, 3'000}));
  const accuracy found = both.finish();
  EXPECT_EQ(found.early_events, 1U);
  EXPECT_NEAR(found.ttft.mean, -0.001, 1e-12);
  EXPECT_NEAR(found.itl.mean, 0.001, 1e-12);
}

TEST(accuracy, the_role_event_of_a_chat_ends_ttft_and_has_no_gap) {
  truth_comparison both;
  both.add(record_with({1'000'000, 1'200'000, 3'000'000}), written_at({900'000, 2'900'000}, true));
  const accuracy found = both.finish();
  EXPECT_EQ(found.streams, 1U);
  EXPECT_EQ(found.events, 2U);
  EXPECT_NEAR(found.ttft.mean, 0.1, 1e-9);
  EXPECT_NEAR(found.itl.mean, -0.2, 1e-9);
  EXPECT_NEAR(found.delay.max, 0.3, 1e-9);
}

TEST(accuracy, the_answer_of_a_pooling_request_has_an_end_and_no_gap) {
  truth_comparison both(true);
  client::record seen = record_with({});
  seen.end_ns = start + 1'500'000;
  EXPECT_TRUE(both.add(seen, written_slowly({1'000'000}, 400'000)));
  EXPECT_FALSE(both.add(seen, written_at({1'000'000, 1'200'000}))) << "one event";
  const accuracy found = both.finish();
  EXPECT_EQ(found.streams, 1U);
  EXPECT_EQ(found.events, 1U);
  EXPECT_EQ(found.mismatched, 1U);
  EXPECT_NEAR(found.e2el.mean, 0.5, 1e-9);
  EXPECT_NEAR(found.e2el_checked.proven.mean, 0.1, 1e-9);
  EXPECT_NEAR(found.delay.max, 0.5, 1e-9);
  EXPECT_NEAR(found.p99_e2el, 0.5, 1e-9);
  EXPECT_EQ(found.ttft.max, 0.0);
  EXPECT_EQ(found.itl.max, 0.0);
}

TEST(accuracy, requests_with_other_events_than_were_written_are_counted_and_left_out) {
  truth_comparison both;
  EXPECT_FALSE(both.add(record_with({1, 2}), written_at({1, 2, 3})));
  EXPECT_FALSE(both.add(record_with({1, 2}), written_at({1, 2}, true)));
  EXPECT_FALSE(both.add(record_with({}), written_at({})));
  EXPECT_TRUE(both.add(record_with({5}), written_at({4})));
  const accuracy found = both.finish();
  EXPECT_EQ(found.mismatched, 3U);
  EXPECT_EQ(found.streams, 1U);
  EXPECT_NEAR(found.ttft.mean, 1e-6, 1e-12);
  EXPECT_EQ(found.itl.mean, 0.0);
}

TEST(accuracy, of_nothing_is_zero) {
  const accuracy found = truth_comparison().finish();
  EXPECT_EQ(found.streams, 0U);
  EXPECT_EQ(found.ttft.p99, 0.0);
  EXPECT_EQ(found.p99_itl, 0.0);
}

TEST(accuracy, figures_become_json) {
  ifb::json_writer out;
  write(out, {0.5, 1, 2, 3});
  EXPECT_EQ(out.take(), R"({"mean": 0.5, "p50": 1.0, "p99": 2.0, "max": 3.0})");
}

}  // namespace
}  // namespace inferbench::calibration
