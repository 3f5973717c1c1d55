#include "scripts/flag_line.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"

namespace inferbench::scripts {
namespace {

using testing::HasSubstr;

constexpr flag_row test_flags[] = {
    {"result", 'r', "RESULT", "FOLDER", "results", "Folder of the results"},
    {"dry-run", 0, "DRY_RUN", "", "", "Run nothing"},
    {"probes", 0, "PROBES", "N", "8", "Most probes"},
    {"limit", 0, "", "MS", "1.5", "Limit"},
};

options::environment env_of(std::map<std::string, std::string, std::less<>> all) {
  return {std::move(all), {}};
}

flag_line line_of(const std::vector<std::string>& args, const options::environment& env = {}) {
  return {test_flags, args, env};
}

std::string flag_refusal(const std::vector<std::string>& args) {
  return support::error_text([&] { return line_of(args); });
}

TEST(a_flag, comes_before_its_variable_and_both_before_the_default) {
  const auto env = env_of({{"RESULT", "b"}, {"PROBES", "3"}});
  EXPECT_EQ(line_of({"--result", "a"}, env).text("result"), "a");
  EXPECT_EQ(line_of({}, env).text("result"), "b");
  EXPECT_EQ(line_of({}).text("result"), "results");
  EXPECT_EQ(line_of({}, env).whole("probes", 0, 10), 3);
  EXPECT_TRUE(line_of({}, env).given("result"));
  EXPECT_FALSE(line_of({}, env).on_line("result"));
  EXPECT_FALSE(line_of({}).given("result"));
}

TEST(a_flag, has_several_spellings) {
  EXPECT_EQ(line_of({"-r", "a"}).text("result"), "a");
  EXPECT_EQ(line_of({"--result=a=b"}).text("result"), "a=b");
  EXPECT_EQ(line_of({"--result="}).text("result"), "");
  EXPECT_EQ(line_of({"--result", "a", "--result", "c"}).text("result"), "c");
  EXPECT_TRUE(line_of({"--dry_run"}).on("dry-run"));
}

TEST(a_switch, is_on_if_its_variable_is_1) {
  EXPECT_TRUE(line_of({}, env_of({{"DRY_RUN", "1"}})).on("dry-run"));
  for (const char* const off : {"0", "", "yes"})
    EXPECT_FALSE(line_of({}, env_of({{"DRY_RUN", off}})).on("dry-run")) << off;
}

TEST(an_empty_variable, is_no_value) {
  EXPECT_EQ(line_of({}, env_of({{"RESULT", ""}})).text("result"), "results");
}

TEST(arguments_that_are_no_flags, are_refused) {
  EXPECT_THAT(flag_refusal({"--resul", "a"}), HasSubstr("did you mean --result?"));
  EXPECT_THAT(flag_refusal({"-x"}), HasSubstr("unknown flag -x"));
  EXPECT_THAT(flag_refusal({"results"}), HasSubstr("unexpected argument"));
  EXPECT_THAT(flag_refusal({""}), HasSubstr("unexpected argument"));
  EXPECT_THAT(flag_refusal({"--dry-run=1"}), HasSubstr("--dry-run: takes no value"));
  EXPECT_THAT(flag_refusal({"--result"}),
              HasSubstr("--result: needs a value; write --result FOLDER"));
  EXPECT_THAT(flag_refusal({"--result", "--dry-run"}), HasSubstr("--result: needs a value"));
}

TEST(a_number, is_refused_with_the_name_of_its_source) {
  EXPECT_THAT(
      support::error_text([] { return line_of({"--probes", "2.5"}).whole("probes", 0, 9); }),
      HasSubstr("--probes: \"2.5\" is not a whole number from 0 to 9"));
  EXPECT_THAT(support::error_text(
                  [] { return line_of({}, env_of({{"PROBES", "99"}})).whole("probes", 0, 9); }),
              HasSubstr("$PROBES: \"99\" is not a whole number from 0 to 9"));
  EXPECT_EQ(line_of({}).positive("limit"), 1.5);
  for (const char* const bad : {"0", "-1", "inf", "nan", "x", ""})
    EXPECT_THAT(support::error_text(
                    [&] { return line_of({std::string("--limit=") + bad}).positive("limit"); }),
                HasSubstr("is not a number above 0"))
        << bad;
}

TEST(the_help, is_asked_for_at_any_position) {
  EXPECT_TRUE(line_of({"--nonsense", "-h"}).asks_for_help());
  const std::string text = flags_help("inferbench x", "Do a thing.", test_flags);
  EXPECT_EQ(text,
            "usage: inferbench x\n\nDo a thing.\n\n"
            "  -r, --result FOLDER\n      Folder of the results; $RESULT (default results)\n"
            "  --dry-run\n      Run nothing; $DRY_RUN\n"
            "  --probes N\n      Most probes; $PROBES (default 8)\n"
            "  --limit MS\n      Limit (default 1.5)\n"
            "  -h, --help\n      Show this text\n");
}

}  // namespace
}  // namespace inferbench::scripts
