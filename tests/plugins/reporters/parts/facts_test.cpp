#include "reporters/common/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using reporters::parse_object;

TEST(facts_of_reports, missing_facts_and_facts_of_other_types_are_empty) {
  for (const char* json :
       {"{}", R"({"thresholds": 1, "certainty": [], "client": "x", "errors": {}, "accounting": 0})",
        R"({"thresholds": [1, null], "certainty": {"figures": {"ttft": 3}}, "errors": [[]]})"}) {
    const auto facts = parse_object(json);
    EXPECT_TRUE(reporters::goals_of(facts).empty()) << json;
    EXPECT_FALSE(reporters::certainty_of(facts, "ttft", 99).known);
    EXPECT_FALSE(reporters::effective_count(facts, "ttft"));
    EXPECT_EQ(reporters::confidence_of(facts), 0);
    EXPECT_EQ(reporters::client_verdict(facts), "");
    EXPECT_TRUE(reporters::client_reasons(facts).empty());
    EXPECT_FALSE(reporters::accounted(facts, "sent"));
  }
}

TEST(facts_of_reports, a_goal_without_a_value_is_not_passed) {
  const auto facts = parse_object(R"({"thresholds": [{"goal": "a<1", "value": null}]})");
  const auto goals = reporters::goals_of(facts);
  ASSERT_EQ(goals.size(), 1U);
  EXPECT_EQ(goals[0].goal, "a<1");
  EXPECT_FALSE(goals[0].value);
  EXPECT_FALSE(goals[0].passed);
}

TEST(facts_of_reports, a_percentile_is_certified_not_certified_or_unknown) {
  const auto facts = parse_object(R"({"certainty": {"confidence": 0.99, "figures": {"ttft": {
      "effective_count": 3.5, "percentiles": [{"percentile": 50, "bound": 7.5},
                                              {"percentile": 99.9, "bound": null}]}}}})");
  EXPECT_EQ(reporters::certainty_of(facts, "ttft", 50).bound, 7.5);
  EXPECT_TRUE(reporters::certainty_of(facts, "ttft", 99.9).known);
  EXPECT_FALSE(reporters::certainty_of(facts, "ttft", 99.9).bound);
  EXPECT_FALSE(reporters::certainty_of(facts, "ttft", 99).known);
  EXPECT_EQ(reporters::effective_count(facts, "ttft"), 3.5);
}

TEST(facts_of_reports, a_damaged_or_endless_journal_tells_how_much_is_known) {
  const auto part_of = [](const char* json) {
    return reporters::recorded_part_of(parse_object(json));
  };
  EXPECT_FALSE(part_of(R"({"accounting": {"planned": 400}})"));
  const auto cut = part_of(R"({"accounting": {"planned": 400, "not_recorded": 201}})");
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->damaged);
  EXPECT_EQ(reporters::text_of(*cut),
            "of 400 planned requests 199 are known; it is not recorded whether the other 201 were "
            "sent");
  const auto damaged = part_of(
      R"({"accounting": {"planned": 4, "not_recorded": 0}, "journal_damage": {"places": 1}})");
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->damaged);
  EXPECT_EQ(reporters::text_of(*damaged), "of 4 planned requests 4 are known");
  const auto impossible = part_of(R"({"accounting": {"planned": 4, "not_recorded": 9}})");
  ASSERT_TRUE(impossible);
  EXPECT_EQ(impossible->known, 0U);
}

TEST(facts_of_reports, certainty_that_the_user_demands_decides_about_a_passed_goal) {
  reporters::goal_result goal;
  goal.passed = true;
  EXPECT_TRUE(reporters::counts_as_passed(goal, false));
  EXPECT_EQ(reporters::certain_text(goal, false), "not certain");
  EXPECT_FALSE(reporters::counts_as_passed(goal, true));
  EXPECT_EQ(reporters::certain_text(goal, true), "not certain, and --threshold-certain is given");
  goal.certain = true;
  EXPECT_TRUE(reporters::counts_as_passed(goal, true));
  goal = {};
  EXPECT_EQ(reporters::certain_text(goal, true), "not certain");
}

}  // namespace
