#include "comparison/comparison_text.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comparison/told_comparisons.hpp"
#include "support/golden.hpp"

namespace inferbench::comparison {
namespace {

using testing::HasSubstr;
using testing::Not;

void expect_lines(const comparison_result& result, const std::string& file) {
  std::string text;
  for (const std::string& line : comparison_lines(result))
    text += line + "\n";
  text += gate_line(result) + "\n";
  support::expect_golden(text, std::string(INFERBENCH_FIXTURES "/comparison/") + file);
}

std::string text_of(const comparison_result& result) {
  std::string text;
  for (const std::string& line : comparison_lines(result))
    text += line + "\n";
  return text;
}

TEST(the_lines_of_a_comparison, show_every_verdict) {
  expect_lines(compare(all_verdicts()), "verdicts.txt");
}

TEST(the_lines_of_a_comparison, show_two_candidates) {
  expect_lines(compare(two_candidates()), "candidates.txt");
}

TEST(the_lines_of_a_comparison, say_that_runs_without_blocks_are_not_paired) {
  comparison_input input = all_verdicts();
  input.candidates.front().blocks.clear();
  expect_lines(compare(input), "groups.txt");
}

TEST(the_lines_of_a_comparison, say_that_single_runs_are_a_description) {
  comparison_input input = all_verdicts();
  input.candidates.front().blocks.clear();
  input.base.runs.resize(1);
  input.candidates.front().group.runs.resize(1);
  expect_lines(compare(input), "description.txt");
}

TEST(the_lines_of_a_comparison, say_why_a_metric_is_not_compared) {
  comparison_input input = all_verdicts();
  input.base.runs[2].values[1] = 0;
  expect_lines(compare(input), "not_compared.txt");
}

TEST(the_lines_of_a_comparison, say_that_all_metrics_are_the_same) {
  expect_lines(compare(blocks_with(latency, around_1_percent)), "same.txt");
}

TEST(the_lines_of_a_comparison, say_that_values_do_not_vary) {
  const std::string text = text_of(compare(blocks_with(latency, std::vector(8, 1.0))));
  EXPECT_THAT(text, HasSubstr("P99 TTFT: the values do not vary"));
}

TEST(the_lines_of_a_comparison, warn_if_the_sign_flip_test_disagrees) {
  // A check that is far from its bound needs a large deviation in one direction, so the p-value is
  // written by hand.
  comparison_result result = compare(blocks_with(latency, around_4_percent));
  EXPECT_THAT(text_of(result), Not(HasSubstr("sign-flip")));
  result.candidates.front().metrics.front().p_sign_flip = 0.07;
  EXPECT_THAT(text_of(result), HasSubstr("the sign-flip test gives p = 0.0700"));
}

TEST(the_lines_of_a_comparison, have_no_control_characters_of_a_name) {
  comparison_input input = blocks_with(latency, around_4_percent);
  input.candidates.front().group.name = "new\n\x1b[31m";
  for (const std::string& line : comparison_lines(compare(input))) {
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
  }
}

TEST(the_conclusion, has_the_blocks_and_the_differences_that_would_have_been_missed) {
  const comparison_result result = compare(blocks_with(latency, around_4_percent));
  const std::string line = conclusion_line(result, result.candidates.front());
  EXPECT_THAT(line, HasSubstr("8 blocks of four runs"));
  EXPECT_THAT(line, HasSubstr("would have been missed"));
}

}  // namespace
}  // namespace inferbench::comparison
