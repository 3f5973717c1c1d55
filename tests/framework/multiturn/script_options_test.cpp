#include "multiturn/script_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "options/refusal.hpp"

namespace inferbench::multiturn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

script_options read(std::vector<std::string> more, const options::environment& env = {}) {
  std::vector<std::string> args{"-i", "chats.json", "-m", "org/m"};
  args.insert(args.end(), more.begin(), more.end());
  return read_script_options(args, env);
}

/// The message of the error for these arguments; empty: there is none.
std::string refusal(std::vector<std::string> more) {
  try {
    std::ignore = read(std::move(more));
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

TEST(script_options, defaults_are_those_of_the_script) {
  const script_options o = read({});
  EXPECT_EQ(o.input_file, "chats.json");
  EXPECT_EQ(o.model, "org/m");
  EXPECT_EQ(o.served_model, "org/m");
  EXPECT_EQ(o.url, "http://localhost:8000");
  EXPECT_EQ(o.seed, 0);
  EXPECT_EQ(o.clients, 1);
  EXPECT_FALSE(o.max_active || o.max_requests || o.max_turns || o.output_file);
  EXPECT_TRUE(o.early_stop && o.stream);
  EXPECT_FALSE(o.warmup_step || o.random_sampling || o.verify_output || o.excel_output);
  EXPECT_EQ(o.limit_max_tokens, 0);
  EXPECT_EQ(o.limit_min_tokens, 0);
  EXPECT_EQ(o.request_timeout_s, 120);
  EXPECT_EQ(o.max_retries, 0);
  EXPECT_THAT(o.warmup_percentages, ElementsAre("0%"));
}

TEST(script_options, short_forms_beginnings_and_equals_signs_are_read) {
  const script_options o =
      read({"-p", "2", "-k4", "-n=10", "-e", "-v", "-u", "http://h:1", "-o", "out.json",
            "--limit-max-tok=-1", "--no_stream", "--max-turn", "6"});
  EXPECT_EQ(o.clients, 2);
  EXPECT_EQ(o.max_active, 4);
  EXPECT_EQ(o.max_requests, 10);
  EXPECT_TRUE(o.excel_output && o.verbose);
  EXPECT_EQ(o.url, "http://h:1");
  EXPECT_EQ(o.output_file, "out.json");
  EXPECT_EQ(o.limit_max_tokens, -1);
  EXPECT_FALSE(o.stream);
  EXPECT_EQ(o.max_turns, 6);
  EXPECT_EQ(active_per_client(o), 2);
}

TEST(script_options, headers_of_both_forms_add_up) {
  const script_options o = read({"--header", "A=b: c", "--header", "D: e=f", "--header=G=h"});
  EXPECT_THAT(o.headers, ElementsAre(Pair("A", "b: c"), Pair("D", "e=f"), Pair("G", "h")));
  EXPECT_THAT(refusal({"--header", "nothing"}), HasSubstr("not a header"));
}

TEST(script_options, the_number_of_retries_may_come_from_the_environment) {
  const options::environment env{{{"MULTITURN_BENCH_MAX_RETRIES", "3"}}, {}};
  EXPECT_EQ(read({}, env).max_retries, 3);
  EXPECT_EQ(read({"--max-retries", "1"}, env).max_retries, 1);
}

TEST(script_options, values_that_the_script_refuses_are_refused) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"-p", "0"}, "--num-clients"},
      {{"--max-turns", "0"}, "--max-turns"},
      {{"-p", "4", "-n", "3"}, "less than one for each"},
      {{"-p", "4", "-k", "3"}, "--max-active-conversations"},
      {{"--limit-max-tokens", "5"},
       "--limit-max-tokens: 5 needs --limit-min-tokens of at least 1, too, but it is 0"},
      {{"--limit-min-tokens", "5"},
       "--limit-min-tokens: 5 needs --limit-max-tokens of at least 1, too, but it is 0"},
      {{"--limit-max-tokens", "-5", "--limit-min-tokens", "5"}, "--limit-min-tokens: 5 needs"},
      {{"--limit-max-tokens", "5", "--limit-min-tokens", "6"}, "--limit-min-tokens"},
      {{"--request-timeout-sec", "0"}, "--request-timeout-sec"},
      {{"--request-rate", "-1"}, "--request-rate"},
      {{"--request-rate", "nan"}, "--request-rate"},
      {{"--warmup-percentages", "0%,100%"}, "below 100%"},
      {{"--warmup-percentages", "5"}, "not a percentage"},
      {{"--conversation-sampling", "first"}, "round_robin or random"},
      {{"--max"}, "ambiguous"},
      {{"-x"}, "unknown flag"},
      {{"word"}, "unexpected argument"},
      {{"--base-url", "http://h"}, "give --url instead"},
      {{"-p"}, "needs a value"},
      {{"-p", "two"}, "whole number from 1 to"},
      {{"-k", "x"}, "whole number from 1 to"},
      {{"-n", "x"}, "whole number from 1 to"},
      {{"--max-turns", "x"}, "whole number from 1 to"},
      {{"--request-timeout-sec", "x"}, "whole number from 1 to"},
      {{"--max-retries", "x"}, "whole number from 0 to"},
  };
  for (const auto& [args, message] : cases)
    EXPECT_THAT(refusal(args), HasSubstr(message));
  EXPECT_EQ(refusal({"--limit-max-tokens", "6", "--limit-min-tokens", "6"}), "");
  EXPECT_EQ(refusal({"--limit-max-tokens", "-1"}), "");
  EXPECT_EQ(refusal({"--limit-max-tokens", "-5", "--limit-min-tokens", "-5"}), "")
      << "negative: no limit";
}

TEST(script_options, all_other_flags_go_to_serve_with_their_values) {
  const script_options o =
      read({"--reporter", "html=page.html", "-p", "2", "--goodput", "ttft:100", "tpot:20",
            "--insecure", "--save_detailed", "--ready-check-timeout-sec", "-1", "--header", "A=b",
            "--result-dir=out", "--no-stream"});
  EXPECT_THAT(o.rest, ElementsAre("--reporter", "html=page.html", "--goodput", "ttft:100",
                                  "tpot:20", "--insecure", "--save_detailed",
                                  "--ready-check-timeout-sec", "-1", "--result-dir=out"));
  EXPECT_EQ(o.clients, 2);
  EXPECT_FALSE(o.stream);
  EXPECT_THAT(o.headers, ElementsAre(Pair("A", "b")));
  EXPECT_THAT(refusal({"--result-dir=out", "word"}), HasSubstr("unexpected argument"));
}

TEST(script_options, the_input_file_and_the_model_are_required) {
  const std::vector<std::string> no_model{"-i", "a.json"};
  EXPECT_THROW(std::ignore = read_script_options(no_model, {}), options::usage_error);
  const std::vector<std::string> no_file{"-m", "m"};
  EXPECT_THROW(std::ignore = read_script_options(no_file, {}), options::usage_error);
  const std::vector<std::string> help{"--help"};
  EXPECT_TRUE(read_script_options(help, {}).help);
  const std::vector<std::string> version{"--version"};
  EXPECT_TRUE(read_script_options(version, {}).version);
}

TEST(script_options, there_must_be_a_conversation_for_each_client) {
  EXPECT_NO_THROW(check_against_input(read({"-p", "2", "-k", "3"}), 3));
  EXPECT_THROW(check_against_input(read({"-p", "2"}), 1), base::error);
  EXPECT_THROW(check_against_input(read({"-p", "2", "-k", "4"}), 3), base::error);
}

TEST(script_options, the_help_has_every_flag_of_the_script) {
  const std::string help = script_help();
  for (const char* flag : {"-i, --input-file",
                           "-o, --output-file",
                           "--seed",
                           "-m, --model",
                           "--served-model-name",
                           "-u, --url",
                           "-p, --num-clients",
                           "-k, --max-active-conversations",
                           "-n, --max-num-requests",
                           "--warmup-step",
                           "--max-turns",
                           "--no-early-stop",
                           "--limit-max-tokens",
                           "--limit-min-tokens",
                           "--request-rate",
                           "--max-retries",
                           "--conversation-sampling",
                           "--verify-output",
                           "--request-timeout-sec",
                           "--no-stream",
                           "-e, --excel-output",
                           "-v, --verbose",
                           "--print-content",
                           "--warmup-percentages",
                           "--trust-remote-code",
                           "--stats-json-output",
                           "--send-conversation-id",
                           "--api-key",
                           "--header",
                           "--version"})
    EXPECT_THAT(help, HasSubstr(flag));
}

}  // namespace
}  // namespace inferbench::multiturn
