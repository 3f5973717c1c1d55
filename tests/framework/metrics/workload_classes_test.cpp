#include "metrics/workload_classes.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/metrics/record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::failure;
using testing_::success;

client::record of_class(client::record record, const std::string& name) {
  record.attributes.emplace_back("workload_class", name);
  return record;
}

constexpr std::array asked_percentiles = {99.0, 50.0};

TEST(workload_classes, have_counts_tokens_and_latencies_of_their_own) {
  workload_classes of;
  EXPECT_TRUE(of.empty());
  of.add(success({.tokens = {1}, .prompt = 1, .output = 1}), false);
  EXPECT_TRUE(of.empty()) << "a request without a class";
  of.add(of_class(success({.tokens = {10, 30}, .prompt = 5, .output = 2}), "chat"), false);
  of.add(of_class(success({.tokens = {20, 50}, .prompt = 7, .output = 3}), "chat"), false);
  of.add(of_class(failure({.tokens = {9}}, IFB_E_REMOTE, 500, "no"), "chat"), false);
  of.add(of_class(success({.tokens = {100}, .prompt = 90, .output = 1}), "batch"), false);
  EXPECT_EQ(of.to_json(asked_percentiles),
            R"({"batch": {"requests": 1, "completed": 1, "failed": 0, "total_input_tokens": 90, )"
            R"("total_output_tokens": 1, "ttft_ms": {"mean": 100.0, "median": 100.0, )"
            R"("p99": 100.0, "p50": 100.0}, "e2el_ms": {"mean": 100.0, "median": 100.0, )"
            R"("p99": 100.0, "p50": 100.0}}, )"
            R"("chat": {"requests": 3, "completed": 2, "failed": 1, "total_input_tokens": 12, )"
            R"("total_output_tokens": 5, "ttft_ms": {"mean": 15.0, "median": 15.0, )"
            R"("p99": 19.9, "p50": 15.0}, "e2el_ms": {"mean": 40.0, "median": 40.0, )"
            R"("p99": 49.8, "p50": 40.0}}})");
}

TEST(workload_classes, of_a_pooling_run_have_no_time_to_first_token) {
  workload_classes of;
  of.add(of_class(success({.end = 12, .prompt = 4}), "x"), true);
  const auto json = base::parse_json(of.to_json(asked_percentiles), "the fact");
  EXPECT_EQ(base::find(json["x"], "ttft_ms"), nullptr);
  EXPECT_EQ(json["x"]["e2el_ms"]["mean"].GetDouble(), 12.0);
}

TEST(workload_classes, without_a_success_have_no_latencies) {
  workload_classes of;
  of.add(of_class(failure({.tokens = {9}}, IFB_E_IO, 0, "gone"), "a\"b"), false);
  EXPECT_EQ(of.to_json(asked_percentiles),
            R"({"a\"b": {"requests": 1, "completed": 0, "failed": 1, "total_input_tokens": 0, )"
            R"("total_output_tokens": 0}})");
}

TEST(workload_classes, beyond_a_number_count_together) {
  workload_classes of;
  for (std::size_t i = 0; i < workload_classes::most_classes + 5; ++i)
    of.add(of_class(success({.tokens = {1}}), "class " + std::to_string(i)), false);
  const auto json = base::parse_json(of.to_json(asked_percentiles), "the fact");
  EXPECT_EQ(json.MemberCount(), workload_classes::most_classes + 1);
  EXPECT_EQ(json["(others)"]["requests"].GetInt(), 5);
}

}  // namespace
}  // namespace inferbench::metrics
