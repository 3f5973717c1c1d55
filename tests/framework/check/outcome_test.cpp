#include "check/outcome.hpp"

#include <gtest/gtest.h>

namespace inferbench::check {
namespace {

TEST(outcome, crosses_from_the_child_as_it_was) {
  outcome said;
  said.findings = {{true, "a \"quoted\" fault\n", "mend it"}, {false, "odd", ""}};
  said.notes = {"needs libc.so.6"};
  const auto back = from_json(to_json(said));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->findings, said.findings);
  EXPECT_EQ(back->notes, said.notes);
  EXPECT_EQ(back->said, verdict::failed);
}

TEST(outcome, a_text_that_is_not_an_outcome_is_rejected) {
  for (const char* text : {"", "{", "[]", "{}", "{\"findings\": 1, \"notes\": []}", "null"})
    EXPECT_FALSE(from_json(text)) << text;
}

TEST(outcome, the_worst_finding_decides) {
  outcome said;
  settle(said);
  EXPECT_EQ(said.said, verdict::passed);
  said.skipped = "no path";
  settle(said);
  EXPECT_EQ(said.said, verdict::skipped);
  said.findings.push_back({false, "odd", ""});
  settle(said);
  EXPECT_EQ(said.said, verdict::warned);
  said.findings.push_back({true, "wrong", ""});
  settle(said);
  EXPECT_EQ(said.said, verdict::failed);
  said.said = verdict::crashed;
  settle(said);
  EXPECT_EQ(said.said, verdict::crashed);
}

TEST(outcome, a_reserved_member_that_is_set_is_a_failure) {
  const finding fault = reserved_is_set("an ifb_usage", 7);
  EXPECT_TRUE(fault.failure);
  EXPECT_EQ(fault.what, "`reserved` in an ifb_usage is 7 instead of 0");
}

TEST(outcome, invalid_utf8_is_replaced) {
  outcome said;
  said.findings = {{true, "heard \xFF", ""}};
  const auto back = from_json(to_json(said));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->findings[0].what, "heard \uFFFD");
}

}  // namespace
}  // namespace inferbench::check
