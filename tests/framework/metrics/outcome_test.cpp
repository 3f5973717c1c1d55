// The sums of a run.
#include "metrics/outcome.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::success;

// The client leaves out impossible counts, but a journal may be damaged.
TEST(totals, do_not_overflow_with_impossible_counts) {
  client::record r = success({.prompt = INT64_MAX, .output = INT64_MAX});
  r.cached_tokens = INT64_MAX;
  r.reasoning_tokens = INT64_MAX;
  r.attributes.emplace_back("num_input_sequences", std::to_string(INT64_MAX));
  totals sums;
  for (int i = 0; i < 10; ++i)
    sums.add(r);
  const std::uint64_t most = 10ULL * UINT32_MAX;
  EXPECT_EQ(sums.input, most);
  EXPECT_EQ(sums.output, most);
  EXPECT_EQ(sums.cached, most);
  EXPECT_EQ(sums.reasoning, most);
  EXPECT_EQ(sums.inputs, most);
}

TEST(totals, leave_out_what_the_server_did_not_report) {
  client::record r = success({.prompt = 3, .output = 5});
  totals sums;
  sums.add(r);
  r.cached_tokens = 2;
  sums.add(r);
  EXPECT_EQ(sums.input, 6U);
  EXPECT_EQ(sums.output, 10U);
  EXPECT_EQ(sums.cached, 2U);
  EXPECT_EQ(sums.said_cached, 1U);
  EXPECT_EQ(sums.said_reasoning, 0U);
  EXPECT_EQ(sums.inputs, 2U);
}

}  // namespace
}  // namespace inferbench::metrics
