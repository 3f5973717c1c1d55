#include "sweep/sla_criteria.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/sweep/levels.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double boundless = std::numeric_limits<double>::infinity();

std::vector<sla_set> sets_in(const std::string& text) { return parse_sla_sets(text, "sla.json"); }

std::string refusal_of(const std::string& text) {
  try {
    (void)sets_in(text);
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

criterion only(const std::string& text) {
  const auto sets = sets_in(R"([{"x": ")" + text + R"("}])");
  return sets.at(0).at(0);
}

TEST(sla_criteria, the_example_of_upstream_is_read) {
  const auto sets = sets_in(
      R"([{"p99_ttft_ms": "<=300", "p99_e2el_ms": "<2000"}, {"request_throughput": ">=5"}])");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(text_of(sets[0], ", "), "p99_ttft_ms<=300.00, p99_e2el_ms<2000.00");
  EXPECT_EQ(text_of(sets[0], "-"), "p99_ttft_ms<=300.00-p99_e2el_ms<2000.00");
  EXPECT_EQ(text_of(sets[1], ", "), "request_throughput>=5.00");
}

TEST(sla_criteria, each_operator_is_read) {
  EXPECT_EQ(only("<=1").sign, comparison_sign::at_most);
  EXPECT_EQ(only(">=1").sign, comparison_sign::at_least);
  EXPECT_EQ(only("<1").sign, comparison_sign::below);
  EXPECT_EQ(only(">1").sign, comparison_sign::above);
}

TEST(sla_criteria, a_limit_has_the_forms_of_pythons_float) {
  EXPECT_EQ(only("<= 300 ").limit, 300);
  EXPECT_EQ(only("<=1_000.5").limit, 1000.5);
  EXPECT_EQ(only("<-1e3").limit, -1000);
  EXPECT_EQ(only(">=inf").limit, boundless);
}

TEST(sla_criteria, the_last_of_equal_keys_counts) {
  const auto sets = sets_in(R"([{"a": "<1", "b": "<2", "a": ">3"}])");
  EXPECT_EQ(text_of(sets.at(0), ", "), "a>3.00, b<2.00");
}

TEST(sla_criteria, a_limit_is_printed_with_two_decimals) {
  EXPECT_EQ((criterion{"x", comparison_sign::at_most, 0.125}.text()), "x<=0.12");
  EXPECT_EQ((criterion{"x", comparison_sign::below, boundless}.text()), "x<inf");
  EXPECT_EQ((criterion{"p99_ttft_ms", comparison_sign::at_most, 300}.text_with(123.449)),
            "p99_ttft_ms = 123.45<=300.00");
  EXPECT_EQ((criterion{"x", comparison_sign::above, 1e300}.text().size()), 2U + 301 + 3);
}

TEST(sla_criteria, a_file_is_named_after_its_criteria) {
  EXPECT_EQ(sla_file(sets_in(R"([{"p99_ttft_ms": "<=300", "request_throughput": ">5"}])").at(0)),
            "SLA--p99_ttft_ms<=300.00-request_throughput>5.00.json");
  EXPECT_EQ(sla_file(sets_in(R"([{"../a/b": "<=300"}])").at(0)), "SLA--___a_b<=300.00.json");
}

TEST(sla_criteria, a_margin_is_the_distance_to_the_limit) {
  EXPECT_EQ((criterion{"x", comparison_sign::at_most, 50}.margin(48)), -2);
  EXPECT_EQ((criterion{"x", comparison_sign::at_most, 50}.margin(50)), 0);
  EXPECT_EQ((criterion{"x", comparison_sign::at_least, 50}.margin(48)), 2);
  EXPECT_EQ((criterion{"x", comparison_sign::at_least, 50}.margin(50)), 0);
  EXPECT_NEAR((criterion{"x", comparison_sign::below, 50}.margin(48)), -2 + 1e-8, 1e-12);
  EXPECT_NEAR((criterion{"x", comparison_sign::above, 50}.margin(48)), 2 + 1e-8, 1e-12);
}

TEST(sla_criteria, a_value_at_the_limit_is_neither_below_nor_above) {
  for (const double limit : {50.0, 1e12, boundless, -boundless}) {
    EXPECT_GT((criterion{"x", comparison_sign::below, limit}.margin(limit)), 0) << limit;
    EXPECT_GT((criterion{"x", comparison_sign::above, limit}.margin(limit)), 0) << limit;
    EXPECT_LE((criterion{"x", comparison_sign::at_most, limit}.margin(limit)), 0) << limit;
    EXPECT_LE((criterion{"x", comparison_sign::at_least, limit}.margin(limit)), 0) << limit;
  }
}

TEST(sla_criteria, infinite_values_satisfy_what_they_should) {
  EXPECT_EQ((criterion{"x", comparison_sign::at_most, 50}.margin(boundless)), boundless);
  EXPECT_EQ((criterion{"x", comparison_sign::at_least, 50}.margin(boundless)), -boundless);
  EXPECT_EQ((criterion{"x", comparison_sign::below, boundless}.margin(50)), -boundless);
}

TEST(sla_criteria, no_value_is_worse_than_nan) {
  for (const auto sign : {comparison_sign::at_most, comparison_sign::above})
    EXPECT_EQ((criterion{"x", sign, 50}.margin(std::nan(""))), boundless);
}

TEST(sla_criteria, the_largest_margin_of_a_set_decides) {
  const auto set = sets_in(R"([{"a": "<=10", "b": ">=5", "c": "<100"}])").at(0);
  printed_lines lines;
  const auto runs = made_of({R"({"a": 8, "b": 4, "c": 7})", R"({"a": 10, "b": 5, "c": "8"})"}).runs;
  EXPECT_EQ(validated_margin(set, runs, lines.tell()), 0.5);
  EXPECT_EQ(lines.text,
            "Validating SLA: a = 9.00<=10.00 | PASSED\n"
            "Validating SLA: b = 4.50>=5.00 | FAILED\n"
            "Validating SLA: c = 7.50<100.00 | PASSED\n");
}

TEST(sla_criteria, a_result_without_the_field_is_an_error_before_anything_is_printed) {
  const auto set = sets_in(R"([{"a": "<=10", "p99_tpot": "<5"}])").at(0);
  printed_lines lines;
  EXPECT_THROW((void)validated_margin(set, made_of({R"({"a": 8})"}).runs, lines.tell()),
               base::error);
  EXPECT_EQ(lines.text, "");
}

TEST(sla_criteria, another_form_of_file_is_refused_with_its_line) {
  EXPECT_THAT(refusal_of("\n{\"fast\": {\"x\": \"<1\"}}"),
              StartsWith("sla.json:2:1: should be a list of dictionaries, not a dictionary"));
  EXPECT_THAT(refusal_of("3"), HasSubstr("should be a list of dictionaries, not a whole number"));
  EXPECT_THAT(refusal_of("[{\"x\": \"<1\"},\n  [\"<1\"]]"),
              StartsWith("sla.json:2:3: should be a list of dictionaries: element 2 is a list"));
  EXPECT_THAT(refusal_of(" []"), StartsWith("sla.json:1:2: the list has no set of criteria"));
  EXPECT_THAT(refusal_of("[{}]"), HasSubstr("element 1 has no criterion"));
  EXPECT_THAT(refusal_of("[{\"x\": \"<1\"},\n{\"y\" \"<2\"}]"), StartsWith("sla.json:2:"));
}

TEST(sla_criteria, a_criterion_that_cannot_be_read_is_refused_with_line_key_and_value) {
  EXPECT_THAT(refusal_of("[{\"a\": \"<1\",\n\"p99_ttft_ms\": \"=300\"}]"),
              AllOf(StartsWith("sla.json:2:"), HasSubstr("'p99_ttft_ms'"), HasSubstr("'=300'"),
                    HasSubstr("<=, >=, <, >")));
  for (const char* text : {"300", "==300", "!=3", "=<300", "", " <=300"})
    EXPECT_THAT(refusal_of("[{\"x\": \"" + std::string(text) + "\"}]"),
                HasSubstr("the criterion of 'x' has no valid operator"))
        << text;
  for (const char* text : {"<=", "<=fast", "<300ms", "<==3", "> 1 2"})
    EXPECT_THAT(refusal_of("[{\"x\": \"" + std::string(text) + "\"}]"),
                HasSubstr("the criterion of 'x' has no number behind"))
        << text;
  for (const char* json : {"300", "null", "true", "[\"<1\"]", "{\"a\": \"<1\"}", "0.5"})
    EXPECT_THAT(refusal_of("[{\"x\": " + std::string(json) + "}]"),
                HasSubstr("the criterion of 'x' should be a text"))
        << json;
  EXPECT_THAT(refusal_of(R"([{"x": "<nan"}])"), HasSubstr("nan, which no value satisfies"));
  EXPECT_THAT(refusal_of(R"([{"": "<1"}])"), HasSubstr("a key is empty"));
}

TEST(sla_criteria, sets_whose_results_would_be_one_file_are_refused) {
  EXPECT_THAT(
      refusal_of("[{\"x\": \"<300.001\"},\n{\"x\": \"<300.002\"}]"),
      AllOf(StartsWith("sla.json:2:1: the set in line 1"), HasSubstr("SLA--x<300.00.json")));
}

TEST(sla_criteria, a_file_that_cannot_be_read_is_named) {
  try {
    (void)read_sla_sets("/nowhere/sla.json");
    FAIL();
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), HasSubstr("/nowhere/sla.json"));
  }
}

TEST(sla_criteria, a_level_with_a_run_that_completed_no_request_satisfies_nothing) {
  const auto sets = parse_sla_sets(R"([{"median_ttft_ms": "<=100"}])", "sla.json");
  const auto runs = made_of({R"({"median_ttft_ms": 50, "completed": 9, "failed": 1})",
                             R"({"median_ttft_ms": 0, "completed": 0, "failed": 10})"})
                        .runs;
  printed_lines lines;
  EXPECT_EQ(validated_margin(sets.at(0), runs, lines.tell()),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(lines.text,
            "Requests that failed at this level: 11; the latencies are those of the others.\n"
            "Validating SLA: no request was completed in 1 of 2 runs | FAILED\n");
}

TEST(sla_criteria, a_level_without_any_completed_request_needs_no_other_field) {
  const auto sets = parse_sla_sets(R"([{"median_ttft_ms": "<=100"}])", "sla.json");
  printed_lines lines;
  EXPECT_GT(validated_margin(sets.at(0), made_of({R"({"completed": 0, "failed": 10})"}).runs,
                             lines.tell()),
            0);
  EXPECT_EQ(lines.text, "Validating SLA: no request was completed | FAILED\n");
}

TEST(sla_criteria, a_level_with_some_failed_requests_is_validated_by_the_others) {
  const auto sets = parse_sla_sets(R"([{"median_ttft_ms": "<=100"}])", "sla.json");
  printed_lines lines;
  EXPECT_EQ(
      validated_margin(sets.at(0),
                       made_of({R"({"median_ttft_ms": 50, "completed": 9, "failed": 1})"}).runs,
                       lines.tell()),
      -50);
  EXPECT_EQ(lines.text,
            "Requests that failed at this level: 1; the latencies are those of the others.\n"
            "Validating SLA: median_ttft_ms = 50.00<=100.00 | PASSED\n");
}

TEST(sla_criteria, a_criterion_is_a_goal_with_all_digits) {
  const sla_set set =
      parse_sla_sets(R"([{"a": "<=300", "b": "<0.001234", "c": ">=1e3", "d": "> 2.5"}])", "s.json")
          .front();
  std::vector<std::string> goals;
  for (const criterion& each : set)
    goals.push_back(each.goal());
  EXPECT_EQ(goals, (std::vector<std::string>{"a<=300", "b<0.001234", "c>=1000", "d>2.5"}));
}

}  // namespace
}  // namespace inferbench::sweep
