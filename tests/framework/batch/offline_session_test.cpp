// The arguments of a command: flags, and a TOML file under them.
#include "batch/offline_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "framework/options/test_environment.hpp"
#include "offline/other_options.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::batch {
namespace {

using offline::benchmark;
using ::testing::AllOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

class read_files : public ::testing::Test {
 protected:
  offline::offline_line read(const std::string& toml, std::vector<std::string> flags = {},
                             benchmark which = benchmark::throughput) const {
    flags.insert(flags.begin(), folder.write("bench.toml", toml));
    return read_arguments(which, flags, env);
  }
  std::string refusal(const std::string& toml, const std::vector<std::string>& flags = {}) const {
    const std::string text = offline::refusal_of([&] { return read(toml, flags); });
    const auto at = text.find(folder.path());
    return at == std::string::npos ? text : std::string(text).erase(at, folder.path().size() + 1);
  }
  std::optional<benchmark> benchmark_in(const std::string& toml) const {
    return benchmark_of_file(folder.write("any.toml", toml), env);
  }

  const support::temporary_folder folder;
  const options::environment env = options::test_environment();
};

TEST_F(read_files, have_the_keys_of_the_flags) {
  const auto options = offline::throughput_options_of(read(R"(
[throughput]
dataset-name = "random"
num_prompts = 7
disable-detokenize = true
output-json = "out.json"
[throughput.engine]
model = "m"
seed = 4
enable-lora = false
)"));
  EXPECT_EQ(options.data.num_prompts, 7);
  EXPECT_EQ(options.model, "m");
  EXPECT_EQ(options.data.seed, 4U);
  EXPECT_FALSE(options.detokenize);
  EXPECT_FALSE(options.lora);
  EXPECT_THAT(options.output_json, Optional(Eq("out.json")));
}

TEST_F(read_files, have_less_priority_than_flags) {
  const auto options = offline::throughput_options_of(
      read("[throughput]\ndataset-name = \"random\"\nnum-prompts = 7\ndisable-detokenize = true\n"
           "engine = { model = \"m\", seed = 4 }\n",
           {"--num-prompts", "9", "--model", "other", "--no-disable-detokenize"}));
  EXPECT_EQ(options.data.num_prompts, 9);
  EXPECT_EQ(options.model, "other");
  EXPECT_EQ(options.data.seed, 4U);
  EXPECT_TRUE(options.detokenize);
}

TEST_F(read_files, may_fill_in_variables_of_the_environment) {
  const auto options = offline::latency_options_of(
      read("[latency]\nengine = { model = \"${TOKEN}\" }\n", {}, benchmark::latency));
  EXPECT_EQ(options.model, "s3cret");
}

TEST_F(read_files, may_be_followed_by_help) {
  EXPECT_TRUE(read("[throughput]\n", {"--help"}).help);
}

TEST_F(read_files, name_line_and_column_of_an_error) {
  EXPECT_EQ(refusal("[throughput]\nnum-prompts = 7\nnum-promts = 8\n"),
            "2: bench.toml:3:14: no such key: num-promts; did you mean --num-prompts?");
  EXPECT_EQ(refusal("[throughput]\nnum-prompts = \"many\"\n"),
            "2: bench.toml:2:15: num-prompts must be a whole number, not a text");
  EXPECT_THAT(refusal("[throughput]\nnum-prompts = = 7\n"), StartsWith("2: bench.toml:2:15: "));
  EXPECT_THAT(refusal("[throughput]\nmodel = \"m\"\n"),
              AllOf(StartsWith("2: bench.toml:2:9: no such key: model"),
                    HasSubstr("options of the engine belong in the table engine")));
}

TEST_F(read_files, need_the_table_of_the_command) {
  EXPECT_EQ(refusal("[latency]\nnum-iters = 3\n"),
            "1: bench.toml: there is no table [throughput]; put the settings of the benchmark in "
            "it");
  EXPECT_THAT(refusal("throughput = 3\n"),
              StartsWith("1: bench.toml:1:14: throughput must be a table, not "));
  EXPECT_THAT(refusal("[throughput]\n[latency]\n"),
              AllOf(StartsWith("1: bench.toml:2:"),
                    HasSubstr("a file for throughput has no other tables than [throughput], but "
                              "latency")));
}

TEST_F(read_files, must_exist) {
  EXPECT_THAT(offline::refusal_of([&] {
                return read_arguments(benchmark::throughput,
                                      std::vector<std::string>{folder.path("no.toml")}, env);
              }),
              AllOf(StartsWith("1: "), HasSubstr("no.toml")));
}

TEST_F(read_files, are_read_only_if_they_are_the_first_argument) {
  EXPECT_THAT(offline::refusal_of([&] {
                return read_arguments(benchmark::throughput,
                                      std::vector<std::string>{"--num-prompts", "3", "bench.toml"},
                                      env);
              }),
              StartsWith("2: \"bench.toml\" is not an option"));
}

TEST_F(read_files, refuse_a_wrong_flag_behind_them) {
  EXPECT_THAT(refusal("[throughput]\n", {"--num-prompts"}), StartsWith("2: --num-prompts"));
}

TEST_F(read_files, are_known_by_their_table) {
  EXPECT_THAT(benchmark_in("[latency]\n"), Optional(benchmark::latency));
  EXPECT_THAT(benchmark_in("[throughput]\n"), Optional(benchmark::throughput));
  EXPECT_THAT(benchmark_in("[startup]\n"), Optional(benchmark::startup));
  EXPECT_THAT(benchmark_in("[mm-processor]\n"), Optional(benchmark::mm_processor));
  EXPECT_THAT(benchmark_in("[prefix-caching]\n"), Optional(benchmark::prefix_caching));
  EXPECT_THAT(benchmark_in("[long-document-qa]\n"), Optional(benchmark::long_document_qa));
  EXPECT_THAT(benchmark_in("[prioritization]\n"), Optional(benchmark::prioritization));
  EXPECT_EQ(benchmark_in("[run]\nnum-prompts = 3\n"), std::nullopt);
  EXPECT_EQ(benchmark_in(""), std::nullopt);
}

}  // namespace
}  // namespace inferbench::batch
