#include "reporters/common/command_text.hpp"

#include <gtest/gtest.h>

namespace {

std::string command_of(const char* flags) {
  return reporters::command_text(reporters::parse_object(flags));
}

TEST(command_text, flags_can_be_pasted_into_a_shell) {
  EXPECT_EQ(command_of(R"({"model": "m", "save-result": true, "shuffle": false, "rate": 5.0,
                           "header": ["A=it's", "B="], "extra-body": {"a": 1}, "label": "",
                           "temperature": -1, "none": null})"),
            "inferbench serve --model m --save-result --shuffle=false --rate 5 --header "
            "'A=it'\\''s' B= --extra-body '{\"a\": 1}' --label '' --temperature=-1");
}

TEST(command_text, names_of_flags_from_another_journal_are_quoted) {
  EXPECT_EQ(command_of(R"({"a; rm -rf x": 1, "b$c": "-2", "d e": true})"),
            "inferbench serve '--a; rm -rf x' 1 '--b$c=-2' '--d e'");
}

TEST(command_text, a_flag_of_one_value_is_written_for_each_item) {
  EXPECT_EQ(command_of(R"({"reporter": ["html", "csv=a b.csv"], "csv-texts": true,
                           "observe": []})"),
            "inferbench serve --reporter html --reporter 'csv=a b.csv' --csv-texts --observe");
}

TEST(command_text, without_flags_there_is_no_command) {
  EXPECT_EQ(command_of("{}"), "");
  EXPECT_EQ(command_of("no JSON"), "");
}

}  // namespace
