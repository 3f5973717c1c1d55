#include "perf/recorded_command.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pytext/python_text.hpp"
#include "support/error_text.hpp"

namespace inferbench::perf {
namespace {

using testing::HasSubstr;

std::string options_in(const std::string& line) {
  options::node out = options::node::table();
  for (const auto& [name, value] : recorded_options_of(line, "a.commands"))
    out.set(name, value);
  return pytext::python_json(out);
}

TEST(a_recorded_command, has_options_with_values_switches_and_words_that_are_ignored) {
  EXPECT_EQ(
      options_in("vllm serve org/model --dtype bfloat16 --port=80 stray --enforce-eager --x y z"),
      R"({"--dtype": "bfloat16", "--enforce-eager": true, "--port": 80, "--x": "y"})");
  EXPECT_EQ(options_in("--a --b --c"), R"({"--c": true})");
  EXPECT_EQ(options_in("Using Remote Server host 8000"), "{}");
}

TEST(a_recorded_command, takes_pairs_up_to_the_next_option_as_metadata) {
  EXPECT_EQ(options_in("vllm bench serve --metadata a=b c=1=2 d --request-rate inf"),
            R"({"--metadata": {"a": "b", "c": "1=2"}, "--request-rate": "inf"})");
  EXPECT_EQ(options_in("vllm bench --metadata"), R"({"--metadata": {}})");
}

TEST(a_recorded_command, is_split_like_a_line_of_a_shell) {
  EXPECT_EQ(options_in(R"(python3 run.py --a 'x y' --b "it's" --c \ z --d '')"),
            R"({"--a": "x y", "--b": "it's", "--c": " z", "--d": ""})");
}

TEST(a_recorded_command, has_the_last_of_equal_options) {
  EXPECT_EQ(options_in("a b --n 1 --n=2"), R"({"--n": 2})");
}

TEST(a_recorded_command, that_is_too_short_or_open_is_refused) {
  for (const char* const line : {"", "vllm", "  ", "vllm serve 'x", "vllm serve \\"})
    EXPECT_THAT(support::error_text([&] { return recorded_options_of(line, "a.commands"); }),
                HasSubstr("a.commands"))
        << line;
}

TEST(a_recorded_value, is_a_number_only_in_plain_decimal_notation) {
  const auto value = [](const char* word) { return pytext::python_json(recorded_value(word)); };
  EXPECT_EQ(value("128"), "128");
  EXPECT_EQ(value("+3"), "3");
  EXPECT_EQ(value("-3"), "-3");
  EXPECT_EQ(value("007"), "7");
  EXPECT_EQ(value("-0"), "0");
  EXPECT_EQ(value(".5"), "0.5");
  EXPECT_EQ(value("-2.50"), "-2.5");
  EXPECT_EQ(value("+1.0"), "1.0");
  EXPECT_EQ(value("NULL"), "null");
  EXPECT_EQ(value("True"), "true");
  EXPECT_EQ(value("fAlse"), "false");
  EXPECT_EQ(value("00123456789012345678901"), "123456789012345678901");
  for (const char* const text :
       {"inf", "nan", "5.", "1e3", ".", "+", "-", "", "1.2.3", "1_0", "--1"})
    EXPECT_EQ(value(text), "\"" + std::string(text) + "\"");
}

}  // namespace
}  // namespace inferbench::perf
