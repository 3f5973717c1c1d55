#include "experiment/sweep_failures.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "sweep/parameter_file.hpp"

namespace inferbench::experiment {
namespace {

sweep::item failed_item(std::string_view json) {
  return sweep::parse_parameters("[" + std::string(json) + "]", "items.json").front();
}

TEST(sweep_failures, have_their_files_beside_the_result) {
  EXPECT_EQ(failure_file_of("a/run=0.json"), "a/run=0.failure.json");
  EXPECT_EQ(failure_file_of("warmup.json"), "warmup.failure.json");
}

TEST(sweep_failures, of_a_server_have_a_file_with_its_name) {
  EXPECT_EQ(server_failure_file({}), "SERVE-default-failure.json");
  EXPECT_EQ(server_failure_file(failed_item(R"({"model": "a/b", "x": 1})")),
            "SERVE-model=a_b-x=1-failure.json");
  EXPECT_EQ(server_failure_file(failed_item(R"({"_benchmark_name": "../up"})")),
            "SERVE-___up-failure.json");
}

TEST(sweep_failures, of_a_run_are_described_in_json) {
  EXPECT_EQ(failure_text(2, "ValueError", "line 1\nline \"2\"", failed_item(R"({"a": 1.0})"),
                         failed_item(R"({"b": [true]})")),
            R"({
  "run_number": 2,
  "error_type": "ValueError",
  "error": "line 1\nline \"2\"",
  "serve_overrides": {
    "a": 1.0
  },
  "bench_overrides": {
    "b": [
      true
    ]
  }
}
)");
}

TEST(sweep_failures, of_a_server_are_described_in_json) {
  EXPECT_EQ(server_failure_text("no GPU", {}), R"({
  "error_type": "RuntimeError",
  "error": "no GPU",
  "serve_overrides": {}
}
)");
}

TEST(sweep_failures, have_the_last_lines_in_the_whole_text_only) {
  const failed_run why("ValueError", "it failed", "a\nb");
  EXPECT_EQ(why.message(), "it failed");
  EXPECT_EQ(why.whole_text(), "it failed; the last lines of its output:\na\nb");
  EXPECT_EQ(failed_run("ValueError", "it failed").whole_text(), "it failed");
}

}  // namespace
}  // namespace inferbench::experiment
