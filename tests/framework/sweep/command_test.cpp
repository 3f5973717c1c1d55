#include "sweep/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> words_of(const std::string& line) {
  return split_words(line, "--serve-cmd");
}

std::string split_complaint(const std::string& line) {
  return complaint_of([&] { return words_of(line); });
}

/// The words of the command, changed by the combination `parameters` (JSON), joined by "|".
std::string changed(const std::string& command, const std::string& parameters) {
  std::string out;
  for (const std::string& word : applied(words_of(command), made_item(parameters)))
    out += (out.empty() ? "" : "|") + word;
  return out;
}

/// The words of the command without secrets, joined by "|".
std::string cut(const std::string& command) {
  std::string out;
  for (const std::string& word : without_secrets(words_of(command)))
    out += (out.empty() ? "" : "|") + word;
  return out;
}

TEST(split_words, blanks_separate_words) {
  EXPECT_THAT(words_of(" vllm  serve\tmodel\r\n --port 80 "),
              ElementsAre("vllm", "serve", "model", "--port", "80"));
}

TEST(split_words, quotes_keep_blanks_and_may_be_within_a_word) {
  EXPECT_THAT(words_of(R"(a 'b "c" d' "e 'f' g" h'i 'j"k "l '' "")"),
              ElementsAre("a", "b \"c\" d", "e 'f' g", "hi jk l", "", ""));
}

TEST(split_words, a_backslash_quotes_the_next_character) {
  EXPECT_THAT(words_of(R"(a\ b \\ \' \" \$x \n)"), ElementsAre("a b", "\\", "'", "\"", "$x", "n"));
  EXPECT_THAT(words_of(R"('a\b\' c)"), ElementsAre("a\\b\\", "c"));
}

TEST(split_words, a_backslash_in_double_quotes_quotes_quotation_marks_and_backslashes) {
  EXPECT_THAT(words_of(R"("a\"b\\c\$d\ne\`f")"), ElementsAre(R"(a"b\c\$d\ne\`f)"));
}

TEST(split_words, json_in_single_quotes_stays_as_it_is) {
  EXPECT_THAT(
      words_of(R"(vllm serve m --compilation-config '{"mode": 3, "x": "a\\b"}')"),
      ElementsAre("vllm", "serve", "m", "--compilation-config", R"({"mode": 3, "x": "a\\b"})"));
}

TEST(split_words, a_backslash_at_the_end_of_a_line_joins_it_to_the_next_line) {
  EXPECT_THAT(words_of("vllm serve \\\n  model --po\\\nrt 80 \"a\\\nb\""),
              ElementsAre("vllm", "serve", "model", "--port", "80", "ab"));
}

TEST(split_words, nothing_is_expanded_and_nothing_is_a_comment) {
  EXPECT_THAT(words_of("p $HOME ~ *.json #no a#b `x` $(y) a;b | c > d && e"),
              ElementsAre("p", "$HOME", "~", "*.json", "#no", "a#b", "`x`", "$(y)", "a;b", "|", "c",
                          ">", "d", "&&", "e"));
}

TEST(split_words, characters_beyond_ascii_stay_as_they_are) {
  EXPECT_THAT(words_of("p \u00e9\u20ac '\U0001F600'"),
              ElementsAre("p", "\u00e9\u20ac", "\U0001F600"));
}

TEST(split_words, a_line_that_cannot_be_split_is_refused_with_the_flag) {
  EXPECT_THAT(split_complaint("vllm 'serve"),
              StartsWith("--serve-cmd: the quotation mark ' is not closed"));
  EXPECT_THAT(split_complaint("vllm \"serve"), HasSubstr("the quotation mark \" is not closed"));
  EXPECT_THAT(split_complaint("vllm \"serve\\\""), HasSubstr("is not closed"));
  EXPECT_THAT(split_complaint("vllm serve \\"), HasSubstr("ends with a backslash"));
  EXPECT_THAT(split_complaint("vllm \"serve\\"), HasSubstr("is not closed"));
}

TEST(split_words, a_line_without_a_program_is_refused) {
  EXPECT_THAT(split_complaint(""), StartsWith("--serve-cmd: the command is empty"));
  EXPECT_THAT(split_complaint(" \n\t "), HasSubstr("the command is empty"));
  EXPECT_THAT(split_complaint("'' serve"), HasSubstr("begins with an empty word"));
}

// The test vectors of upstream.

TEST(applied, parameters_are_appended_as_options) {
  EXPECT_EQ(changed("vllm serve model", R"({"max_tokens": 100})"),
            "vllm|serve|model|--max-tokens|100");
  EXPECT_EQ(changed("vllm serve model", R"({"temperature": 0.7})"),
            "vllm|serve|model|--temperature|0.7");
  EXPECT_EQ(changed("vllm serve model", R"({"a": 1, "b-c": "x y", "d_e": 2.0})"),
            "vllm|serve|model|--a|1|--b-c|x y|--d-e|2.0");
}

TEST(applied, a_boolean_is_one_word) {
  EXPECT_EQ(changed("vllm serve model", R"({"enable_prefix_caching": true})"),
            "vllm|serve|model|--enable-prefix-caching");
  EXPECT_EQ(changed("vllm serve model", R"({"disable_log_stats": false})"),
            "vllm|serve|model|--no-disable-log-stats");
}

TEST(applied, an_object_is_json) {
  EXPECT_EQ(changed("vllm serve model", R"({"compilation_config": {"mode": 3}})"),
            R"(vllm|serve|model|--compilation-config|{"mode": 3})");
  EXPECT_EQ(changed("vllm serve model", "{\"c\": {\"a\": [1, null, true], \"\u00e9\": \"x\"}}"),
            R"(vllm|serve|model|--c|{"a": [1, null, true], "\u00e9": "x"})");
}

// With a dot, only the part before it gets dashes, and a boolean is written as =true or =false.
TEST(applied, a_key_keeps_its_underscores_after_the_first_dot) {
  EXPECT_EQ(changed("vllm serve model", R"({"compilation_config.x_y": true})"),
            "vllm|serve|model|--compilation-config.x_y=true");
  EXPECT_EQ(changed("vllm serve model", R"({"compilation_config.x_y": false})"),
            "vllm|serve|model|--compilation-config.x_y=false");
  EXPECT_EQ(
      changed("vllm serve model", R"({"compilation_config.use_inductor_graph_partition": true})"),
      "vllm|serve|model|--compilation-config.use_inductor_graph_partition=true");
  EXPECT_EQ(changed("vllm serve model", R"({"a_b.c_d.e-f": 1})"),
            "vllm|serve|model|--a-b.c_d.e-f|1");
}

TEST(applied, an_option_of_the_command_is_replaced_with_its_value) {
  EXPECT_EQ(changed("vllm serve --max-tokens 100 model", R"({"max_tokens": 200})"),
            "vllm|serve|--max-tokens|200|model");
  EXPECT_EQ(changed("vllm serve --max-tokens 100 model", R"({"max-tokens": 200})"),
            "vllm|serve|--max-tokens|200|model");
}

TEST(applied, an_option_is_found_in_every_spelling_and_written_with_dashes) {
  EXPECT_EQ(changed("vllm serve --max_tokens 100 model", R"({"max-tokens": 200})"),
            "vllm|serve|--max-tokens|200|model");
  EXPECT_EQ(changed("vllm serve --max_model-len 100 model", R"({"max_model-len": 200})"),
            "vllm|serve|--max-model-len|200|model");
  EXPECT_EQ(changed("vllm serve --a_b.c_d 1 model", R"({"a-b.c_d": 2})"),
            "vllm|serve|--a-b.c_d|2|model");
}

TEST(applied, the_spelling_with_dashes_is_looked_for_first) {
  EXPECT_EQ(changed("p --a_b 1 --a-b 2", R"({"a_b": 3})"), "p|--a_b|1|--a-b|3");
}

TEST(applied, a_boolean_replaces_the_positive_spelling) {
  EXPECT_EQ(
      changed("vllm serve --enable-prefix-caching model", R"({"enable_prefix_caching": false})"),
      "vllm|serve|--no-enable-prefix-caching|model");
  EXPECT_EQ(
      changed("vllm serve --enable_prefix_caching model", R"({"enable_prefix_caching": true})"),
      "vllm|serve|--enable-prefix-caching|model");
}

TEST(applied, the_negative_spelling_of_a_boolean_is_not_looked_for) {
  EXPECT_EQ(changed("p --no-flag", R"({"flag": true})"), "p|--no-flag|--flag");
  EXPECT_EQ(changed("p --no-flag", R"({"flag": false})"), "p|--no-flag|--no-flag");
}

TEST(applied, an_option_with_an_equals_sign_is_not_replaced) {
  EXPECT_EQ(changed("p --max-tokens=100", R"({"max_tokens": 200})"),
            "p|--max-tokens=100|--max-tokens|200");
  EXPECT_EQ(changed("p --a.b=true", R"({"a.b": false})"), "p|--a.b=true|--a.b=false");
}

TEST(applied, only_the_first_occurrence_is_replaced) {
  EXPECT_EQ(changed("p --x 1 --x 2", R"({"x": 3})"), "p|--x|3|--x|2");
}

TEST(applied, a_value_is_appended_if_the_option_is_the_last_word) {
  EXPECT_EQ(changed("p --x", R"({"x": 3})"), "p|--x|3");
}

TEST(applied, a_value_may_contain_anything) {
  EXPECT_EQ(changed("p", R"({"n": null, "l": ["a", "b"], "m": [1, 2], "e": "", "d": "--x"})"),
            "p|--n|None|--l|['a', 'b']|--m|[1, 2]|--e||--d|--x");
  EXPECT_EQ(changed("p", R"({"big": 123456789012345678901234567890, "i": Infinity, "f": 1e16})"),
            "p|--big|123456789012345678901234567890|--i|inf|--f|1e+16");
}

TEST(applied, a_value_that_looks_like_an_option_is_found_by_a_later_key) {
  EXPECT_EQ(changed("p", R"({"a": "--b", "b": 1})"), "p|--a|--b|1");
}

TEST(applied, the_name_of_the_combination_is_no_parameter) {
  EXPECT_EQ(changed("p", R"({"_benchmark_name": "big", "x": 1})"), "p|--x|1");
  EXPECT_EQ(changed("p --x 1", "{}"), "p|--x|1");
}

TEST(applied, both_spellings_in_one_item_make_one_option) {
  EXPECT_EQ(changed("p", R"({"a_b": 1, "a-b": 2})"), "p|--a-b|2");
}

TEST(without_secrets, values_of_secret_options_are_cut) {
  EXPECT_EQ(cut("vllm serve --api-key abc -p 8000"), "vllm|serve|--api-key|(cut)|-p|8000");
  EXPECT_EQ(cut("p --api_key=abc --hf-token x --x 1"), "p|--api_key=(cut)|--hf-token|(cut)|--x|1");
  EXPECT_EQ(cut("p --api-key a b --password -5 --port 80"),
            "p|--api-key|(cut)|(cut)|--password|(cut)|--port|80");
  EXPECT_EQ(cut("p --max-tokens 5 --tokenizer x"), "p|--max-tokens|5|--tokenizer|x");
}

TEST(without_secrets, values_of_headers_are_cut) {
  EXPECT_EQ(cut("p --header Authorization=Bearer-x X=y --x 1"),
            "p|--header|Authorization=(cut)|X=(cut)|--x|1");
  EXPECT_EQ(cut("p --header=Authorization=x"), "p|--header=Authorization=(cut)");
  EXPECT_EQ(cut("curl -H 'Authorization: Bearer abc==' -X POST"),
            "curl|-H|Authorization:(cut)|-X|POST");
  EXPECT_EQ(cut("p --headers '{secret}'"), "p|--headers|(cut)");
}

TEST(without_secrets, secret_keys_and_environment_variables_are_cut) {
  EXPECT_EQ(cut("env OPENAI_API_KEY=abc HOME=/root vllm serve"),
            "env|OPENAI_API_KEY=(cut)|HOME=/root|vllm|serve");
  EXPECT_EQ(cut("p --set backend.api-key=abc --set load.seed=1"),
            "p|--set|backend.api-key=(cut)|--set|load.seed=1");
}

TEST(without_secrets, passwords_in_addresses_are_cut) {
  EXPECT_EQ(cut("p --base-url http://me:secret@host:80/v1 --base-url=https://a:b@c"),
            "p|--base-url|http://(cut)@host:80/v1|--base-url=https://(cut)@c");
}

TEST(split_words, reads_back_a_word_that_is_quoted_for_a_shell) {
  for (const char* word : {"a b", "it's", "\"", "\\", "a\nb", "$x", ""})
    EXPECT_THAT(words_of("p " + base::shell_word(word)), ElementsAre("p", word));
}

}  // namespace
}  // namespace inferbench::sweep
