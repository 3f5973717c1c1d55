#include "config/flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<flag> table{{"label", options::arity::one},
                              {"tokenizer", options::arity::one},
                              {"tokenizer-mode", options::arity::one},
                              {"presence-penalty", options::arity::one},
                              {"random-input-len", options::arity::one},
                              {"random-output-len", options::arity::one},
                              {"save-result", options::arity::none},
                              {"header", options::arity::any},
                              {"goodput", options::arity::some},
                              {"set", options::arity::some, false, true},
                              {"extra-body", options::arity::one, true},
                              {"num-prompts", options::arity::one}};

command_line parsed(std::vector<std::string> args, bool guess = true) {
  return parse_flags(args, table, guess);
}
std::vector<std::string> values(const command_line& line, std::string_view name) {
  const given_flag* found = line.find(name);
  return found == nullptr ? std::vector<std::string>{"(not given)"} : found->values;
}
std::string complaint(std::vector<std::string> args, bool guess = true) {
  return complaint_of([&] { (void)parsed(std::move(args), guess); });
}

TEST(flags, a_value_is_the_next_word_or_comes_after_the_equals_sign) {
  const command_line line = parsed({"--label", "a b", "--num-prompts=5", "--tokenizer="});
  EXPECT_THAT(values(line, "label"), ElementsAre("a b"));
  EXPECT_THAT(values(line, "num-prompts"), ElementsAre("5"));
  EXPECT_THAT(values(line, "tokenizer"), ElementsAre(""));
  EXPECT_THAT(values(parsed({"--label=a=b"}), "label"), ElementsAre("a=b"));
  EXPECT_THAT(values(parsed({"--label=--x"}), "label"), ElementsAre("--x"));
  EXPECT_THAT(values(parsed({"--label", ""}), "label"), ElementsAre(""));
}

TEST(flags, underscore_and_dash_are_equal_in_names_but_not_in_values) {
  const command_line line = parsed({"--num_prompts", "1_0", "--save_result"}, false);
  EXPECT_THAT(values(line, "num-prompts"), ElementsAre("1_0"));
  EXPECT_THAT(values(line, "save-result"), ElementsAre("true"));
  EXPECT_THAT(line.warnings, IsEmpty());
}

TEST(flags, a_unique_prefix_means_the_flag) {
  const command_line line = parsed({"--random-input", "200", "--num_p=3"});
  EXPECT_THAT(values(line, "random-input-len"), ElementsAre("200"));
  EXPECT_THAT(line.warnings, ElementsAre("--random-input is read as --random-input-len",
                                         "--num-p is read as --num-prompts"));
}

TEST(flags, an_exact_name_wins_over_longer_ones) {
  EXPECT_THAT(values(parsed({"--tokenizer", "x"}), "tokenizer"), ElementsAre("x"));
}

TEST(flags, the_error_for_an_ambiguous_prefix_lists_the_flags) {
  EXPECT_EQ(complaint({"--random", "1"}),
            "--random could be --random-input-len, --random-output-len; write it out");
}

TEST(flags, of_our_own_make_no_prefix_ambiguous_that_is_upstreams) {
  const std::vector<flag> mixed{{.name = "max-message"},
                                {.name = "max-concurrency", .upstream = true},
                                {.name = "save-all"},
                                {.name = "save-result", .upstream = true},
                                {.name = "save-detailed", .upstream = true}};
  const auto parse = [&](std::vector<std::string> args) { return parse_flags(args, mixed, true); };
  EXPECT_THAT(values(parse({"--max", "5"}), "max-concurrency"), ElementsAre("5"));
  EXPECT_THAT(values(parse({"--max-m", "5"}), "max-message"), ElementsAre("5"));
  EXPECT_EQ(complaint_of([&] { (void)parse({"--save", "5"}); }),
            "--save could be --save-all, --save-result, --save-detailed; write it out");
}

TEST(flags, without_guessing_a_prefix_is_unknown) {
  EXPECT_THAT(parsed({"--num-p", "3"}, false).unknown, ElementsAre("--num-p"));
}

TEST(flags, of_a_scalar_given_twice_the_last_counts_with_a_warning) {
  const command_line line = parsed({"--label", "a", "--label", "b"});
  EXPECT_THAT(values(line, "label"), ElementsAre("b"));
  EXPECT_THAT(line.warnings, ElementsAre("--label is given more than once; the last one counts"));
  EXPECT_THAT(parsed({"--save-result", "--save-result"}).warnings, IsEmpty());
}

TEST(flags, a_list_takes_all_up_to_the_next_flag_and_is_replaced) {
  const command_line line =
      parsed({"--header", "a=1", "b=2", "--label", "x", "--header", "c=3", "--goodput", "ttft:1"});
  EXPECT_THAT(values(line, "header"), ElementsAre("c=3"));
  EXPECT_THAT(values(line, "goodput"), ElementsAre("ttft:1"));
  EXPECT_THAT(values(parsed({"--header", "--save-result"}), "header"), IsEmpty());
}

TEST(flags, a_flag_that_accumulates_keeps_earlier_values) {
  EXPECT_THAT(values(parsed({"--set", "a=1", "--set", "b=2", "c=3"}), "set"),
              ElementsAre("a=1", "b=2", "c=3"));
}

TEST(flags, negative_numbers_are_values) {
  const command_line line = parsed({"--presence-penalty", "-0.5", "--num-prompts", "-1"});
  EXPECT_THAT(values(line, "presence-penalty"), ElementsAre("-0.5"));
  EXPECT_THAT(values(line, "num-prompts"), ElementsAre("-1"));
  EXPECT_THAT(values(parsed({"--presence-penalty=-1e-3"}), "presence-penalty"),
              ElementsAre("-1e-3"));
  EXPECT_THAT(values(parsed({"--header", "-1", "-inf"}), "header"), ElementsAre("-1", "-inf"));
  EXPECT_THAT(values(parsed({"--label", "-1s"}), "label"), ElementsAre("-1s"));
  EXPECT_THAT(values(parsed({"--label", "-a sentence"}), "label"), ElementsAre("-a sentence"));
}

TEST(flags, a_missing_value_is_named) {
  const std::string want = ": a value is missing; give it as --NAME=VALUE if it begins with a dash";
  EXPECT_EQ(complaint({"--label"}), "--label" + want);
  EXPECT_EQ(complaint({"--label", "--save-result"}), "--label" + want);
  EXPECT_EQ(complaint({"--label", "--what"}), "--label" + want);
  EXPECT_EQ(complaint({"--goodput"}), "--goodput" + want);
  EXPECT_EQ(complaint({"--goodput", "--label", "x"}), "--goodput" + want);
  EXPECT_EQ(complaint({"--extra-body.a"}), "--extra-body.a" + want);
  EXPECT_EQ(complaint({"--extra-body.a", "--label", "x"}), "--extra-body.a" + want);
}

TEST(flags, a_switch_takes_a_value_only_after_an_equals_sign) {
  EXPECT_THAT(values(parsed({"--save-result=false"}), "save-result"), ElementsAre("false"));
  EXPECT_THAT(parsed({"--save-result", "x"}).positional, ElementsAre("x"));
}

TEST(flags, a_value_after_a_switch_is_refused_with_the_way_to_write_it) {
  EXPECT_EQ(complaint({"--save-result", "false"}),
            "--save-result: a switch takes no value, and \"false\" follows it; write "
            "--save-result=false, or leave both out if the switch is off by default");
  EXPECT_EQ(complaint({"--label", "x", "--save_result", "True"}),
            "--save-result: a switch takes no value, and \"True\" follows it; leave the word out, "
            "or write --save-result=true");
  EXPECT_THAT(parsed({"--save-result=true", "no"}).positional, ElementsAre("no"));
  EXPECT_THAT(parsed({"--label", "on", "--header", "off"}).positional, IsEmpty());
}

TEST(flags, a_word_that_is_not_a_flag_is_positional) {
  EXPECT_THAT(parsed({"a.toml", "--label", "x", "b"}).positional, ElementsAre("a.toml", "b"));
  EXPECT_THAT(parsed({"--", "--label"}).positional, ElementsAre("--label"));
}

TEST(flags, unknown_flags_are_collected) {
  EXPECT_THAT(parsed({"--what", "5", "-x", "--label", "y"}).unknown,
              testing::UnorderedElementsAre("--what", "-x"));
}

TEST(flags, dotted_parts_merge_into_one_object) {
  const command_line line =
      parsed({"--extra-body.a.b", "3", "--label", "x", "--extra-b.a.c_d=1.5", "--extra_body.l+",
              "1,2", "--extra-body.l+", "3", "--extra-body.a.b", "4"});
  ASSERT_NE(line.find("extra-body"), nullptr);
  EXPECT_EQ(options::to_json(*line.find("extra-body")->dotted),
            R"({"a": {"b": 4, "c_d": 1.5}, "l": ["1", "2", "3"]})");
  EXPECT_THAT(line.warnings, ElementsAre("--extra-b is read as --extra-body"));
}

TEST(flags, a_dotted_value_is_json_or_a_suffixed_number_or_a_text) {
  const auto value = [](const std::string& text) {
    return options::to_json(
        *parsed({"--extra-body.k", text}).find("extra-body")->dotted->find("k"));
  };
  EXPECT_EQ(value("{\"a\": [1]}"), R"({"a": [1]})");
  EXPECT_EQ(value("1.5k"), "1500");
  EXPECT_EQ(value("2K"), "2048");
  EXPECT_EQ(value("true"), "true");
  EXPECT_EQ(value("null"), "null");
  EXPECT_EQ(value("-0.5"), "-0.5");
  EXPECT_EQ(value("hello"), "\"hello\"");
  EXPECT_EQ(value(""), "\"\"");
}

TEST(flags, dotted_parts_replace_a_plain_value_before_or_after_them) {
  const command_line line = parsed({"--extra-body.a", "1", "--extra-body", "{\"b\": 2}"});
  EXPECT_EQ(options::to_json(*line.find("extra-body")->dotted), R"({"a": 1})");
  EXPECT_EQ(line.warnings.size(), 1U);
}

TEST(flags, only_json_flags_have_a_dotted_form) {
  EXPECT_EQ(complaint({"--label.a", "1"}),
            "--label.a: --label takes no dotted names; only flags with a JSON value do");
  EXPECT_THAT(parsed({"--what.a", "1"}).unknown, ElementsAre("--what.a"));
  EXPECT_EQ(complaint({"--extra-body.", "1"}),
            "--extra-body.: a name is missing; write --FLAG.NAME VALUE");
  EXPECT_EQ(complaint({"--extra-body.a..b", "1"}),
            "--extra-body.a..b: a name is missing; write --FLAG.NAME VALUE");
  EXPECT_EQ(complaint({"--extra-body.+", "1"}),
            "--extra-body.+: a name is missing; write --FLAG.NAME VALUE");
  EXPECT_EQ(complaint({"--extra-body.a.+", "1"}),
            "--extra-body.a.+: a name is missing; write --FLAG.NAME VALUE");
}

TEST(flags, a_name_with_parts_without_end_is_refused_and_no_crash) {
  std::string name = "--extra-body";
  for (int i = 0; i < 50'000; ++i)
    name += ".a";
  EXPECT_EQ(complaint({name, "1"}),
            "--extra-body: the name has more than 200 parts; give the whole object as JSON");
}

TEST(flags, nothing_is_given_on_an_empty_line) {
  const command_line line = parsed({});
  EXPECT_THAT(line.flags, IsEmpty());
  EXPECT_THAT(line.positional, IsEmpty());
}

}  // namespace
}  // namespace inferbench::config
