#include "compare/compare_request.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/refusal.hpp"

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

compare_request parsed(const std::vector<std::string>& args) { return parse_compare(args, {}); }

std::string misuse_of(const std::vector<std::string>& args) {
  try {
    (void)parsed(args);
  } catch (const options::usage_error& why) {
    return why.what();
  }
  return {};
}

TEST(the_arguments_of_compare, are_folders_and_flags_in_any_order) {
  const compare_request found = parsed(
      {"base", "--metric", "ttft.p99,p50_tpot_ms", "new", "--same-within=5%", "--gate", "--metric",
       "output_throughput", "other", "--json", "out.json", "--reporter", "csv=-", "--blocks", "3"});
  EXPECT_THAT(found.arguments, ElementsAre("base", "new", "other"));
  ASSERT_EQ(found.declared.size(), 3U);
  EXPECT_EQ(found.declared[1].name, "tpot.p50");
  EXPECT_DOUBLE_EQ(found.same_within, 0.05);
  EXPECT_TRUE(found.gate);
  EXPECT_EQ(found.json, "out.json");
  EXPECT_THAT(found.reporters, ElementsAre("csv=-"));
  EXPECT_EQ(found.blocks, 3U);
  EXPECT_FALSE(found.makes_runs);
}

TEST(the_arguments_of_compare, have_defaults) {
  const compare_request found = parsed({"base", "new"});
  EXPECT_THAT(found.declared, IsEmpty());
  EXPECT_DOUBLE_EQ(found.same_within, 0.02);
  EXPECT_FALSE(found.gate);
  EXPECT_FALSE(found.blocks);
}

TEST(the_arguments_of_compare, may_ask_for_own_runs) {
  const compare_request found =
      parsed({"--run", "a.toml", "b.toml", "--set", "load.max-concurrency=4", "--set", "run.seed=1",
              "--result-dir", "d", "--resume", "--show-stdout"});
  EXPECT_TRUE(found.makes_runs);
  EXPECT_TRUE(found.resume);
  EXPECT_TRUE(found.show_stdout);
  EXPECT_EQ(found.result_dir, "d");
  EXPECT_THAT(found.arguments, ElementsAre("a.toml", "b.toml"));
  EXPECT_THAT(found.sets, ElementsAre("load.max-concurrency=4", "run.seed=1"));
}

TEST(the_arguments_of_compare, keep_secrets_out_of_the_command_line) {
  const compare_request found =
      parsed({"--run", "a.toml", "b.toml", "--set", "server.api-key=hush"});
  EXPECT_THAT(found.line, HasSubstr("inferbench compare --run a.toml b.toml --set"));
  EXPECT_EQ(found.line.find("hush"), std::string::npos) << found.line;
}

TEST(the_arguments_of_compare, are_refused_if_they_do_not_fit) {
  EXPECT_THAT(misuse_of({}), HasSubstr("nothing to compare is named"));
  EXPECT_THAT(misuse_of({"--run", "a.toml"}), HasSubstr("takes two files"));
  EXPECT_THAT(misuse_of({"--run", "a.toml", "b.toml", "c.toml"}), HasSubstr("not 3"));
  EXPECT_THAT(misuse_of({"a", "b", "--resume"}), HasSubstr("--resume: needs --run"));
  EXPECT_THAT(misuse_of({"--run", "a", "b", "--resume"}),
              HasSubstr("needs the folder of the comparison"));
  EXPECT_THAT(misuse_of({"a", "b", "--metrik", "x"}), HasSubstr("did you mean --metric?"));
  EXPECT_THAT(misuse_of({"a", "b", "--metric", "ttft.p99,p99_ttft_ms"}),
              HasSubstr("declared twice"));
  EXPECT_THAT(misuse_of({"a", "b", "--blocks", "x"}), HasSubstr("--blocks"));
  for (const char* json : {"--json=", "--json=-"})
    EXPECT_THAT(misuse_of({"a", "b", json}), HasSubstr("--json: needs a file; write for example"))
        << json;
  for (const char* share : {"0", "-1%", "51%", "x", "nan", "%", "inf"})
    EXPECT_THAT(misuse_of({"a", "b", std::string("--same-within=") + share}),
                HasSubstr("is not a share"))
        << share;
}

TEST(the_help_of_compare, names_every_flag) {
  const std::string help = parsed({"--help"}).help;
  for (const char* name : {"--metric", "--same-within", "--gate", "--json", "--reporter",
                           "--blocks", "--run", "--set", "--result-dir", "--resume"})
    EXPECT_THAT(help, HasSubstr(name));
}

}  // namespace
}  // namespace inferbench::compare
