#include "multiturn/serve_flags.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/refusal.hpp"

namespace inferbench::multiturn {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(std::string_view written) {
  try {
    refuse_contradiction(written);
  } catch (const options::usage_error& e) {
    return e.what();
  }
  return {};
}

TEST(flags_of_serve, that_a_flag_of_the_script_sets_are_refused_with_its_name) {
  EXPECT_EQ(refusal_of("--base-url=http://h"),
            "--base-url: is set by the flag --url; give --url instead");
  EXPECT_THAT(refusal_of("--max_concurrency"), HasSubstr("give --num-clients"));
  EXPECT_THAT(refusal_of("--no-conversation-early-stop"), HasSubstr("give --no-early-stop"));
}

TEST(flags_of_serve, that_the_script_decides_are_refused_with_the_reason) {
  EXPECT_THAT(refusal_of("--temperature"), HasSubstr("temperature 0"));
  EXPECT_THAT(refusal_of("--num-prompts"), HasSubstr("--max-num-requests"));
  EXPECT_THAT(refusal_of("--compare"), HasSubstr("use inferbench compare"));
  EXPECT_THAT(refusal_of("--multi-turn"), HasSubstr("this command"));
  EXPECT_THAT(refusal_of("--extra-body.seed"), HasSubstr("--extra-body: is not for multi-turn"));
}

TEST(flags_of_serve, that_contradict_nothing_are_accepted) {
  for (const char* const flag :
       {"--reporter", "--save-detailed", "--save-result", "--result-dir=out", "--insecure",
        "--goodput", "--tokenizer-mode", "--endpoint", "--no-insecure", "--base-url-list"})
    EXPECT_EQ(refusal_of(flag), "") << flag;
}

TEST(flags_of_serve, have_the_names_of_the_script_in_errors) {
  script_options options;
  scripts::flag_names names = names_in_errors(options);
  EXPECT_EQ(names.own("--base-url"), "--url");
  EXPECT_EQ(names.own("--dataset-path"), "--input-file");
  EXPECT_EQ(names.own("--multi-turn-answers"), "--output-file");
  EXPECT_EQ(names.own("--reporter"), "--reporter");
  EXPECT_EQ(names.in("check --base-url, --host and --port"), "check --url, --host and --port");
  options.stats_json = "out.json";
  EXPECT_EQ(names_in_errors(options).own("--reporter"), "--stats-json-output");
  options.rest = {"--reporter", "html=page.html"};
  EXPECT_EQ(names_in_errors(options).own("--reporter"), "--reporter");
}

}  // namespace
}  // namespace inferbench::multiturn
