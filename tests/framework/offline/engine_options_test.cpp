#include "offline/engine_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

std::string table_of(const std::vector<std::string>& args) {
  return pytext::python_json(line_of(args).engine.table());
}

TEST(engine_options, values_have_the_types_of_json) {
  EXPECT_EQ(table_of({"--a", "1",    "--b", "0.5",  "--c", "x",  "--d", "true",     "--e", "null",
                      "--f", "True", "--g", "None", "--h", "8B", "--i", "10.0.0.1", "--j", "[1]"}),
            R"({"a": 1, "b": 0.5, "c": "x", "d": true, "e": null, "f": true, "g": null, )"
            R"("h": "8B", "i": "10.0.0.1", "j": [1]})");
}

TEST(engine_options, a_switch_is_true_and_a_switch_with_the_prefix_no_is_false) {
  EXPECT_EQ(table_of({"--enforce-eager", "--no-enable-lora", "--enable-lora", "--no-x"}),
            R"({"enforce_eager": true, "enable_lora": true, "x": false})");
}

TEST(engine_options, several_values_are_a_list) {
  EXPECT_EQ(table_of({"--names", "a", "2"}), R"({"names": ["a", 2]})");
}

TEST(engine_options, members_make_nested_tables) {
  EXPECT_EQ(table_of({"--a-b.c_d.e", "1", "--a-b.f", "x", "--a-b.l+", "1", "--a-b.l+=2,y"}),
            R"({"a_b": {"c_d": {"e": 1}, "f": "x", "l": [1, 2, "y"]}})");
  EXPECT_EQ(table_of({"--a", R"({"b": 1})", "--a.c", "2"}), R"({"a": {"b": 1, "c": 2}})");
  EXPECT_EQ(table_of({"--a", "text", "--a.c", "2"}), R"({"a": {"c": 2}})");
  EXPECT_EQ(table_of({"--a.c", "2", "--a", R"({"b": 1})"}), R"({"a": {"b": 1}})");
}

TEST(engine_options, text_that_is_no_json_stays_a_text) {
  EXPECT_EQ(table_of({"--a", "{", "--b", "[1", "--c=", "--d", "{(256, 256, 1): 0.5}"}),
            R"({"a": "{", "b": "[1", "c": "", "d": "{(256, 256, 1): 0.5}"})");
  const std::string brackets(100'000, '[');
  EXPECT_EQ(table_of({"--a", brackets}), R"({"a": ")" + brackets + R"("})");
}

TEST(engine_options, deep_values_and_empty_parts_are_refused) {
  const auto refused = [](const std::string& name, const std::string& value) {
    return refusal_of([&] { return table_of({name, value}); });
  };
  std::string deep = "--a";
  for (int i = 0; i < 300; ++i)
    deep += ".b";
  EXPECT_THAT(refused(deep, "1"), testing::HasSubstr("is nested more than 200 levels deep"));
  std::string nested = "--a";
  for (int i = 0; i < 150; ++i)
    nested += ".b";
  EXPECT_THAT(refused(nested, std::string(150, '[') + std::string(150, ']')),
              testing::HasSubstr("is nested more than 200 levels deep"));
  EXPECT_EQ(refused("--a..b", "1"), "2: --a..b: the name has an empty part; write --NAME.KEY");
  EXPECT_EQ(refused("--a.", "1"), "2: --a.: the name has an empty part; write --NAME.KEY");
}

TEST(engine_options, a_toggle_is_what_its_last_option_says) {
  const auto toggle = [](const std::vector<std::string>& args) {
    return line_of(args).engine.toggle("enable-lora");
  };
  EXPECT_EQ(toggle({}), std::nullopt);
  EXPECT_EQ(toggle({"--enable-lora"}), true);
  EXPECT_EQ(toggle({"--enable_lora", "--no-enable-lora"}), false);
  EXPECT_EQ(toggle({"--no-enable-lora", "--enable-lora"}), true);
  EXPECT_EQ(toggle({"--enable-lora", "False"}), false);
  EXPECT_EQ(refusal_of([&] { return toggle({"--enable-lora", "7"}); }),
            "2: --enable-lora: \"7\" is neither true nor false");
}

TEST(engine_options, the_last_value_of_an_option_counts) {
  const engine_options found = line_of({"--seed", "1", "--seed", "2", "--x"}).engine;
  EXPECT_EQ(found.whole("seed"), 2);
  EXPECT_EQ(found.whole("y"), std::nullopt);
  EXPECT_EQ(found.text("x"), nullptr);
  EXPECT_EQ(refusal_of([] { return line_of({"--seed", "a"}).engine.whole("seed"); }),
            "2: --seed: \"a\" is not a whole number");
}

TEST(engine_options, an_option_is_there_in_each_of_its_forms) {
  EXPECT_TRUE(line_of({"--no-a"}).engine.has("a"));
  EXPECT_TRUE(line_of({"--a.b", "1"}).engine.has("a"));
  EXPECT_FALSE(line_of({"--ab"}).engine.has("a"));
}

}  // namespace
}  // namespace inferbench::offline
