#include "offline/offline_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// "n=2;profile=true"
std::string given_in(const std::vector<std::string>& args,
                     benchmark which = benchmark::throughput) {
  std::string out;
  for (const flag_text& each : line_of(args, which).given)
    out += (out.empty() ? "" : ";") + std::string(each.flag->name) +
           (each.member.empty() ? "" : "." + each.member) + "=" + each.text;
  return out;
}

/// "max-model-len[4096];enforce-eager[]"
std::string passed_in(const std::vector<std::string>& args) {
  std::string out;
  const offline_line line = line_of(args);
  for (const engine_option& each : line.engine.all()) {
    out += (out.empty() ? "" : ";") + each.name + "[";
    for (std::size_t i = 0; i < each.values.size(); ++i)
      out += (i == 0 ? "" : "|") + each.values[i];
    out += "]";
  }
  return out;
}

std::string line_refusal(const std::vector<std::string>& args) {
  return refusal_of([&] { return line_of(args); });
}

TEST(offline_line, values_follow_an_equals_sign_or_are_the_next_argument) {
  EXPECT_EQ(given_in({"--n=2", "--num-prompts", "5", "--output-json=", "--n", "3"}),
            "n=2;num-prompts=5;output-json=;n=3");
}

TEST(offline_line, underscores_and_dashes_are_equal) {
  EXPECT_EQ(given_in({"--num_prompts", "5", "--lora-path", "a_b"}), "num-prompts=5;lora-path=a_b");
  EXPECT_EQ(passed_in({"--max_model_len", "4_0"}), "max-model-len[4_0]");
}

TEST(offline_line, toggles_take_no_value_or_true_or_false) {
  EXPECT_EQ(given_in({"--profile", "--async-engine=false", "--no-profile", "--no-oversample",
                      "--no-no-oversample", "--profile=True"}),
            "profile=true;async-engine=false;profile=false;no-oversample=true;no-oversample=false;"
            "profile=true");
  EXPECT_EQ(line_refusal({"--profile=7"}), "2: --profile: takes no value; leave out \"=7\"");
  EXPECT_EQ(line_refusal({"--no-profile=true"}),
            "2: --no-profile: takes no value; leave out \"=true\"");
}

TEST(offline_line, unknown_options_go_to_the_engine_in_their_order) {
  EXPECT_EQ(passed_in({"--model", "m", "--n", "2", "--enforce-eager", "--no-enable-lora",
                       "--lora-modules", "a=b", "c=d", "--dtype=auto"}),
            "model[m];enforce-eager[];no-enable-lora[];lora-modules[a=b|c=d];dtype[auto]");
}

TEST(offline_line, members_of_json_options_keep_the_spelling_of_their_keys) {
  EXPECT_EQ(passed_in({"--compilation_config.cudagraph_mode", "NONE", "--json_arg.list_a+=1,2",
                       "--json-arg.list_a+", "3"}),
            "compilation-config.cudagraph_mode[NONE];json-arg.list_a+[1,2];json-arg.list_a+[3]");
}

TEST(offline_line, the_prefix_engine_leads_to_the_engine_even_for_names_of_the_command) {
  EXPECT_EQ(
      passed_in({"--engine.max_model_len", "4096", "--engine.n=3", "--engine.json-arg.a_b", "c"}),
      "max-model-len[4096];n[3];json-arg.a_b[c]");
  EXPECT_EQ(given_in({"--engine.n=3"}), "");
}

TEST(offline_line, short_options_of_the_engine_stand_for_long_names) {
  EXPECT_EQ(
      passed_in({"-tp", "2", "-pp=3", "-O3", "-O", "2", "-cc.mode", "1", "-cc.a_b=2", "-q", "awq"}),
      "tensor-parallel-size[2];pipeline-parallel-size[3];optimization-level[3];"
      "optimization-level[2];compilation-config.mode[1];compilation-config.a_b[2];"
      "quantization[awq]");
  EXPECT_EQ(line_refusal({"-x", "2"}), "2: -x: no such short option; write the option's long name");
}

TEST(offline_line, numbers_and_json_that_begin_with_a_dash_are_values) {
  EXPECT_EQ(given_in({"--custom-output-len", "-1"}), "custom-output-len=-1");
  EXPECT_EQ(passed_in({"--seed", "-1", "--x", "-1e5", "--y", "- a"}), "seed[-1];x[-1e5];y[- a]");
}

TEST(offline_line, a_value_that_is_missing_is_refused) {
  EXPECT_EQ(
      line_refusal({"--num-prompts"}),
      "2: --num-prompts: a value is missing; give it as --num-prompts=VALUE if it begins with "
      "a dash");
  EXPECT_THAT(line_refusal({"--num-prompts", "--profile"}), HasSubstr("a value is missing"));
}

TEST(offline_line, an_argument_without_an_option_is_refused) {
  EXPECT_THAT(line_refusal({"model"}), StartsWith("2: \"model\" is not an option"));
  EXPECT_THAT(line_refusal({"--profile", "x"}), StartsWith("2: \"x\" is not an option"));
  EXPECT_THAT(line_refusal({"--"}), StartsWith("2: \"--\" is not an option"));
  EXPECT_THAT(line_refusal({""}), StartsWith("2: \"\" is not an option"));
  EXPECT_THAT(line_refusal({"--=x"}), StartsWith("2: \"--=x\" is not an option"));
}

TEST(offline_line, names_that_no_option_can_have_are_refused) {
  EXPECT_THAT(line_refusal({"--engine."}), StartsWith("2: "));
  EXPECT_THAT(line_refusal({"---x"}), StartsWith("2: "));
  EXPECT_THAT(line_refusal({"--.a", "1"}), StartsWith("2: "));
  EXPECT_THAT(line_refusal({"--a\nb", "1"}), StartsWith("2: \"--a b\" is not an option"));
}

TEST(offline_line, yaml_files_are_refused_with_a_remedy) {
  EXPECT_THAT(line_refusal({"--config", "a.yaml"}),
              StartsWith("2: --config: YAML files are not read here; give"));
}

TEST(offline_line, help_ends_the_reading) {
  EXPECT_TRUE(line_of({"--n", "1", "--help", "junk"}).help);
  EXPECT_TRUE(line_of({"-h"}).help);
  EXPECT_TRUE(line_of({"--help=all"}).help);
  EXPECT_FALSE(line_of({"--helper", "x"}).help);
}

TEST(offline_line, members_of_an_own_json_flag_are_taken_one_by_one) {
  EXPECT_EQ(given_in({"--random-mm-limit-mm-per-prompt.image", "3"}),
            "random-mm-limit-mm-per-prompt.image=3");
}

}  // namespace
}  // namespace inferbench::offline
