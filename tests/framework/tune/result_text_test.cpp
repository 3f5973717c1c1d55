#include "tune/result_text.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::tune {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(result_text, writes_a_rate_without_needless_digits) {
  EXPECT_EQ(number_text(infinite), "inf");
  EXPECT_EQ(number_text(10), "10");
  EXPECT_EQ(number_text(12.5), "12.5");
  EXPECT_EQ(number_text(100000000000.0), "100000000000");
  EXPECT_EQ(number_text(1e300), "1e+300");
}

TEST(result_text, writes_a_share_of_the_memory_with_two_digits) {
  EXPECT_EQ(utilization_text(98), "0.98");
  EXPECT_EQ(utilization_text(90), "0.90");
  EXPECT_EQ(utilization_text(5), "0.05");
}

TEST(result_text, has_the_lines_of_the_script) {
  const accepted_pair accepted{{128, 2048}, 10, {9.8, 450.5, 9.75, 0, false}};
  EXPECT_EQ(hash_line("abc"), "hash:abc");
  EXPECT_EQ(accepted_line(accepted),
            "max_num_seqs: 128, max_num_batched_tokens: 2048, request_rate: 10, e2el: 450.50, "
            "throughput: 9.80, goodput: 9.75");
  EXPECT_EQ(
      missed_line({128, 4096}, 500),
      "max_num_seqs: 128, max_num_batched_tokens: 4096 does not meet latency requirement 500");
  EXPECT_EQ(best_line(accepted, "/r/profile"),
            "best_max_num_seqs: 128, best_num_batched_tokens: 2048, best_throughput: 9.80, profile "
            "saved in: /r/profile");
  EXPECT_EQ(best_line(std::nullopt, "none"),
            "best_max_num_seqs: 0, best_num_batched_tokens: 0, best_throughput: 0, profile saved "
            "in: none");
}

TEST(result_text, keeps_a_failure_on_one_line) {
  EXPECT_EQ(failed_line({1, 2}, "the server ended; its last lines:\na\x1b[31m\nb"),
            "max_num_seqs: 1, max_num_batched_tokens: 2 failed: the server ended; its last lines: "
            "a [31m b");
}

TEST(result_text, has_the_names_of_the_script) {
  EXPECT_EQ(pair_name({128, 2048}), "128_2048");
  EXPECT_EQ(benchmark_log_name({128, 2048}, infinite), "bm_log_128_2048_requestrate_inf");
  EXPECT_EQ(benchmark_log_name({128, 2048}, 7), "bm_log_128_2048_requestrate_7");
}

}  // namespace
}  // namespace inferbench::tune
