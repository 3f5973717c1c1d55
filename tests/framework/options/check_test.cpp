#include "options/check.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"
#include "options/flag_value.hpp"
#include "options/to_node.hpp"
#include "options/toml.hpp"

namespace inferbench::options {
namespace {

option declared(ifb_type type) {
  option out;
  out.table = "t";
  out.name = "key";
  out.type = type;
  if (type == IFB_STRINGS) out.takes = arity::any;
  return out;
}

option_value from_toml(const option& o, std::string_view literal) {
  const environment env = test_environment();
  return check(o, *parse_toml("v = " + std::string(literal), "x.toml", env).find("v"), env);
}

option_value from_flag(const option& o, std::vector<std::string> texts) {
  return check(o, node_of_text(o, texts, {"--key", 0, 0}), test_environment());
}

std::string complaint(const option& o, std::string_view literal) {
  return complaint_of([&] { (void)from_toml(o, literal); });
}
std::string flag_complaint(const option& o, const std::string& text) {
  return complaint_of([&] { (void)from_flag(o, {text}); });
}

TEST(check, a_text_whose_default_is_a_number_takes_numbers) {
  option length = declared(IFB_STRING);
  length.fallback = "1024";
  EXPECT_EQ(fallback_of(length, test_environment()).text, "1024");
  EXPECT_EQ(from_toml(length, "512").text, "512");
  EXPECT_EQ(from_toml(length, "\"uniform(1, 9)\"").text, "uniform(1, 9)");
  EXPECT_EQ(from_flag(length, {"512"}).text, "512");
  EXPECT_NE(complaint(length, "true"), "");
  EXPECT_NE(complaint(length, "1.5"), "");
  EXPECT_NE(complaint(declared(IFB_STRING), "512"), "");
}

TEST(check, both_spellings_give_the_same_value) {
  EXPECT_EQ(from_toml(declared(IFB_INT), "-5").integer, -5);
  EXPECT_EQ(from_flag(declared(IFB_INT), {"-5"}).integer, -5);
  EXPECT_EQ(from_toml(declared(IFB_FLOAT), "2").number, 2.0);
  EXPECT_EQ(from_flag(declared(IFB_FLOAT), {"1e3"}).number, 1000.0);
  EXPECT_TRUE(std::isinf(from_toml(declared(IFB_FLOAT), "inf").number));
  EXPECT_TRUE(std::isnan(from_flag(declared(IFB_FLOAT), {"nan"}).number));
  EXPECT_EQ(from_toml(declared(IFB_BOOL), "true").integer, 1);
  EXPECT_EQ(from_flag(declared(IFB_BOOL), {"false"}).integer, 0);
  EXPECT_EQ(from_toml(declared(IFB_DURATION), "\"1.5ms\"").integer, 1'500'000);
  EXPECT_EQ(from_toml(declared(IFB_DURATION), "2.5").integer, 2'500'000'000);
  EXPECT_EQ(from_flag(declared(IFB_DURATION), {"600"}).integer, 600'000'000'000);
  EXPECT_EQ(from_toml(declared(IFB_SIZE), "\"64KiB\"").integer, 65536);
  EXPECT_EQ(from_flag(declared(IFB_SIZE), {"10"}).integer, 10);
  EXPECT_EQ(from_toml(declared(IFB_PATH), "\"~/a\"").text, "/home/me/a");
  EXPECT_EQ(from_flag(declared(IFB_PATH), {"~you/a"}).text, "~you/a");
  EXPECT_EQ(from_toml(declared(IFB_STRINGS), "[\"a\", \"b\"]").list,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(from_flag(declared(IFB_STRINGS), {"a", "b"}).list,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(from_toml(declared(IFB_JSON), "{ top_k = 40 }").text, R"({"top_k": 40})");
  EXPECT_EQ(from_flag(declared(IFB_JSON), {R"({"top_k":40})"}).text, R"({"top_k": 40})");
}

TEST(check, the_wrong_type_is_named_with_key_place_and_value) {
  EXPECT_EQ(complaint(declared(IFB_INT), "\"5\""),
            "x.toml:1:5: t.key: expected a whole number, not \"5\"; give a whole number");
  EXPECT_EQ(complaint(declared(IFB_INT), "1.5"),
            "x.toml:1:5: t.key: expected a whole number, not 1.5; give a whole number");
  EXPECT_EQ(complaint(declared(IFB_FLOAT), "true"),
            "x.toml:1:5: t.key: expected a number, not true; give a number");
  EXPECT_EQ(complaint(declared(IFB_BOOL), "1"),
            "x.toml:1:5: t.key: expected true or false, not 1; give true or false");
  EXPECT_EQ(complaint(declared(IFB_STRING), "[1]"),
            "x.toml:1:5: t.key: expected a text, not a list; write a text in quotes");
  EXPECT_EQ(complaint(declared(IFB_DURATION), "\"soon\""),
            "x.toml:1:5: t.key: expected a duration such as \"30s\" or a number of seconds, not "
            "\"soon\"; give for example 30s");
  EXPECT_EQ(
      complaint(declared(IFB_SIZE), "\"-1\""),
      "x.toml:1:5: t.key: expected a size such as \"64KiB\" or a number of bytes, not \"-1\"; "
      "give for example 64KiB");
  EXPECT_EQ(
      complaint(declared(IFB_STRINGS), "[\"a\", 2]"),
      "x.toml:1:11: t.key: expected a list of texts, not 2; write for example [\"a\", \"b\"]");
  EXPECT_EQ(flag_complaint(declared(IFB_INT), "12x"),
            "--key: expected a whole number, not \"12x\"; give a whole number");
  EXPECT_EQ(flag_complaint(declared(IFB_INT), "99999999999999999999"),
            "--key: expected a whole number, not \"99999999999999999999\"; give a whole number");
  EXPECT_THAT(flag_complaint(declared(IFB_JSON), "{"),
              testing::StartsWith("--key:1:2: malformed JSON"));
}

TEST(check, a_range_names_its_ends) {
  option o = declared(IFB_INT);
  o.minimum = 1;
  o.maximum = 65535;
  EXPECT_EQ(from_toml(o, "65535").integer, 65535);
  EXPECT_EQ(complaint(o, "0"),
            "x.toml:1:5: t.key: expected a whole number from 1 to 65535, not 0; give a whole "
            "number from 1 to 65535");
  o.maximum = INFINITY;
  EXPECT_EQ(
      flag_complaint(o, "0"),
      "--key: expected a whole number of at least 1, not 0; give a whole number of at least 1");
  o.type = IFB_FLOAT;
  o.minimum = 0;
  o.above = true;
  o.remedy = "use inf";
  EXPECT_EQ(flag_complaint(o, "0"), "--key: expected a number above 0, not 0; use inf");
  EXPECT_EQ(flag_complaint(o, "nan"), "--key: expected a number above 0, not nan; use inf");
  EXPECT_TRUE(std::isinf(from_flag(o, {"inf"}).number));
  option time = declared(IFB_DURATION);
  time.maximum = 1e9;
  EXPECT_THAT(complaint(time, "2"), testing::HasSubstr("from 0s to 1s, not 2"));
}

TEST(check, a_remedy_names_the_default_and_an_example_within_the_range) {
  option o = declared(IFB_FLOAT);
  o.fallback = "1.0";
  EXPECT_THAT(flag_complaint(o, "x"),
              testing::EndsWith("; give a number, or leave it out for the default, 1.0"));
  option time = declared(IFB_DURATION);
  time.maximum = 1e9;
  time.fallback = "\"1ms\"";
  EXPECT_THAT(flag_complaint(time, "x"),
              testing::EndsWith("; give for example 1s, or leave it out for the default, 1ms"));
}

TEST(check, malformed_json_is_quoted_unless_it_is_long_or_secret) {
  option o = declared(IFB_JSON);
  EXPECT_THAT(flag_complaint(o, "{"), testing::HasSubstr(", in \"{\"; give JSON"));
  const std::string text = "{" + std::string(100, 'x');
  EXPECT_THAT(flag_complaint(o, text), testing::Not(testing::HasSubstr("xx")));
  o.secret = true;
  EXPECT_THAT(flag_complaint(o, "{"), testing::Not(testing::HasSubstr("in \"{\"")));
}

TEST(check, a_choice_suggests_the_nearest) {
  option o = declared(IFB_CHOICE);
  o.choices = {"linear", "exponential"};
  EXPECT_EQ(from_flag(o, {"linear"}).text, "linear");
  EXPECT_EQ(flag_complaint(o, "linaer"),
            "--key: expected one of linear, exponential, not \"linaer\"; did you mean linear?");
}

TEST(check, a_secret_is_not_repeated_in_a_complaint) {
  option o = declared(IFB_INT);
  o.secret = true;
  EXPECT_EQ(flag_complaint(o, "hunter2"),
            "--key: expected a whole number, not what was given; give a whole number");
}

TEST(check, nothing_of_a_secret_pair_is_repeated_either) {
  option o = declared(IFB_STRINGS);
  o.shape = form::pairs;
  o.secret = true;
  EXPECT_EQ(
      flag_complaint(o, "Authorization: Bearer hunter2"),
      "--key: item 1: expected KEY=VALUE, not what was given; write it as KEY=VALUE, in quotes "
      "where it holds blanks");
  EXPECT_THAT(complaint_of([&] { (void)from_flag(o, {"A=hunter1", "hunter2"}); }),
              testing::AllOf(testing::StartsWith("--key: item 2: "),
                             testing::Not(testing::HasSubstr("hunter"))));
}

TEST(check, a_text_holds_no_zero_character) {
  const std::string want = "x.toml:1:5: t.key: the text holds a zero character; leave it out";
  for (const ifb_type type : {IFB_STRING, IFB_PATH})
    EXPECT_EQ(complaint(declared(type), R"("a\u0000b")"), want);
  option o = declared(IFB_STRINGS);
  EXPECT_THAT(complaint(o, R"(["a\u0000b"])"), testing::HasSubstr("zero character"));
  o.shape = form::pairs;
  EXPECT_THAT(complaint(o, R"({ a = "b\u0000" })"), testing::HasSubstr("zero character"));
  EXPECT_EQ(from_toml(declared(IFB_JSON), R"({ a = "b\u0000" })").text, R"({"a": "b\u0000"})");
}

TEST(check, a_variable_fills_any_type) {
  EXPECT_EQ(from_toml(declared(IFB_INT), "\"${PORT}\"").integer, 8123);
  EXPECT_EQ(from_toml(declared(IFB_INT), "\"${PORT}\"").variable, "PORT");
  EXPECT_EQ(complaint(declared(IFB_INT), "\"${TOKEN}\""),
            "x.toml:1:5: t.key: expected a whole number, not \"s3cret\"; give a whole number");
}

TEST(check, pairs_come_as_table_or_list_and_the_last_of_equal_keys_counts) {
  option o = declared(IFB_STRINGS);
  o.shape = form::pairs;
  EXPECT_EQ(from_toml(o, "{ a = \"1\", b = \"x=y\" }").list,
            (std::vector<std::string>{"a=1", "b=x=y"}));
  EXPECT_EQ(from_flag(o, {" a = 1 ", "b=", "a=2"}).list, (std::vector<std::string>{"a=2", "b="}));
  const std::string remedy = "; write it as KEY=VALUE, in quotes where it holds blanks";
  EXPECT_EQ(flag_complaint(o, "novalue"), "--key: expected KEY=VALUE, not \"novalue\"" + remedy);
  EXPECT_EQ(flag_complaint(o, "=v"), "--key: expected KEY=VALUE, not \"=v\"" + remedy);
  EXPECT_EQ(complaint(o, "{ a = 1 }"),
            "x.toml:1:11: t.key: expected a text for a, not 1; write it in quotes");
}

TEST(check, a_pair_keeps_the_name_of_a_variable_until_it_is_used) {
  option o = declared(IFB_STRINGS);
  o.shape = form::pairs;
  const environment env = test_environment();
  const option_value file = from_toml(o, "{ Authorization = \"${TOKEN}\" }");
  EXPECT_EQ(file.list.front(), "Authorization=${TOKEN}");
  EXPECT_EQ(resolve_pair(file.list.front(), env, {}).second, "s3cret");
  const option_value flag = from_flag(o, {"a=${TOKEN}"});
  EXPECT_EQ(resolve_pair(flag.list.front(), env, {}).second, "${TOKEN}");
  EXPECT_EQ(to_toml(node_of(o, file)), "{ Authorization = \"${TOKEN}\" }");
  EXPECT_EQ(to_toml(node_of(o, flag)), "{ a = \"$${TOKEN}\" }");
}

TEST(check, goals_are_known_metrics_with_milliseconds) {
  option o = declared(IFB_STRINGS);
  o.shape = form::goals;
  o.choices = {"ttft", "tpot", "e2el"};
  EXPECT_EQ(from_flag(o, {"ttft:200", "tpot:50.5", "ttft:100"}).list,
            (std::vector<std::string>{"ttft:100.0", "tpot:50.5"}));
  EXPECT_EQ(from_toml(o, "{ e2el = 3 }").list, (std::vector<std::string>{"e2el:3.0"}));
  EXPECT_EQ(flag_complaint(o, "tfft:1"),
            "--key: expected one of ttft, tpot, e2el, not \"tfft\"; did you mean ttft?");
  EXPECT_EQ(flag_complaint(o, "ttft:-1"),
            "--key: expected a number of milliseconds of at least 0 for ttft, not \"-1\"; "
            "write for example ttft:200");
  EXPECT_EQ(flag_complaint(o, "ttft:x"),
            "--key: expected a number of milliseconds of at least 0 for ttft, not \"x\"; "
            "write for example ttft:200");
  EXPECT_THAT(complaint(o, "{ e2el = -1 }"), testing::EndsWith("; write for example e2el = 200.0"));
  EXPECT_THAT(flag_complaint(o, "nothing:1"), testing::EndsWith("; choose one of them"));
  EXPECT_EQ(flag_complaint(o, "ttft"),
            "--key: expected KEY:MS, not \"ttft\"; write for example ttft:200");
}

TEST(check, comma_lists_are_trimmed_and_numbers_stay_in_range) {
  option names = declared(IFB_STRINGS);
  names.shape = form::names;
  names.takes = arity::one;
  EXPECT_EQ(from_flag(names, {"ttft, tpot,"}).list, (std::vector<std::string>{"ttft", "tpot"}));
  EXPECT_TRUE(from_flag(names, {""}).list.empty());
  option numbers = names;
  numbers.shape = form::numbers;
  numbers.maximum = 100;
  EXPECT_EQ(from_flag(numbers, {" 50 ,99.9"}).list, (std::vector<std::string>{"50.0", "99.9"}));
  EXPECT_EQ(from_toml(numbers, "[50, 99.9]").list, (std::vector<std::string>{"50.0", "99.9"}));
  const std::string within = "; give a number from 0 to 100";
  EXPECT_EQ(flag_complaint(numbers, "50,x"),
            "--key: expected a number from 0 to 100, not \"x\"" + within);
  EXPECT_EQ(flag_complaint(numbers, "101"),
            "--key: expected a number from 0 to 100, not 101" + within);
  EXPECT_EQ(flag_complaint(numbers, ""),
            "--key: expected a number from 0 to 100, not \"\"" + within);
}

TEST(check, every_json_value_survives_the_way_through_toml) {
  const option o = declared(IFB_JSON);
  for (const char* json :
       {R"({"b": 1, "a": [1.0, "x", false]})", R"({"stop": null})", R"("plain")", R"("[1]")",
        R"("\"quoted\"")", R"("{")", "18446744073709551615", "-1", "1e+20", "[]", "{}", "true",
        R"("18446744073709551615")", R"("${HOME}")", R"({"k": "${HOME}"})"}) {
    const option_value first = from_flag(o, {json});
    EXPECT_EQ(first.text, json);
    EXPECT_EQ(from_toml(o, to_toml(node_of(o, first))).text, json) << to_toml(node_of(o, first));
  }
}

TEST(check, json_null_leaves_an_option_unset) {
  EXPECT_FALSE(from_flag(declared(IFB_JSON), {"null"}).is_set);
}

TEST(check, infinity_in_json_names_its_place) {
  EXPECT_EQ(complaint(declared(IFB_JSON), "{ a = inf }"),
            "x.toml:1:11: JSON has no inf; write a finite number or a text");
}

TEST(check, text_that_is_not_utf8_is_refused) {
  EXPECT_EQ(flag_complaint(declared(IFB_STRING), "\xFF"),
            "--key: the text is not valid UTF-8; write it in UTF-8");
}

TEST(check, a_default_is_a_literal_that_passes_the_same_check) {
  option o = declared(IFB_DURATION);
  EXPECT_FALSE(fallback_of(o, test_environment()).is_set);
  o.fallback = "\"2s\"";
  EXPECT_EQ(fallback_of(o, test_environment()).integer, 2'000'000'000);
  o.fallback = "\"soon\"";
  EXPECT_THAT(complaint_of([&] { (void)fallback_of(o, test_environment()); }),
              testing::HasSubstr("default of t.key"));
}

TEST(check, a_wrong_default_of_a_plugin_is_the_fault_of_the_plugin) {
  const auto complaint = [](ifb_type type, const char* fallback) {
    ifb_option from{};
    from.struct_size = sizeof from;
    from.type = type;
    from.name = "endpoint";
    from.fallback = fallback;
    const option o = option_of(from, IFB_BACKEND, "tokline");
    return complaint_of([&] { (void)fallback_of(o, test_environment()); });
  };
  const std::string fault = "backend tokline is at fault: the default ";
  EXPECT_EQ(complaint(IFB_STRING, "/generate"),
            fault + "/generate of option endpoint is not TOML; write \"\\\"/generate\\\"\"");
  EXPECT_EQ(complaint(IFB_DURATION, "10s"),
            fault + "10s of option endpoint is not TOML; write \"\\\"10s\\\"\"");
  EXPECT_EQ(complaint(IFB_STRING, "true"), fault +
                                               "true of option endpoint is not valid: expected a "
                                               "text, not true; write \"\\\"true\\\"\"");
  EXPECT_EQ(complaint(IFB_INT, "many"),
            fault + "many of option endpoint is not TOML; report it to the plugin's author");
  EXPECT_EQ(complaint(IFB_INT, "\"5\""),
            fault +
                "\"5\" of option endpoint is not valid: expected a whole number, not \"5\"; report "
                "it to the plugin's author");
}

TEST(check, forwarded_pairs_get_the_type_that_the_plugin_declares) {
  option from = declared(IFB_STRINGS);
  from.shape = form::pairs;
  const option_value value = from_toml(from, "{ a = \"${TOKEN}\", b = \"2\" }");
  const environment env = test_environment();
  EXPECT_EQ(converted(declared(IFB_STRINGS), from, value, env).list,
            (std::vector<std::string>{"a=s3cret", "b=2"}));
  EXPECT_EQ(converted(declared(IFB_JSON), from, value, env).text, R"({"a": "s3cret", "b": "2"})");
  EXPECT_NE(complaint_of([&] { (void)converted(declared(IFB_INT), from, value, env); }), "");
}

}  // namespace
}  // namespace inferbench::options
