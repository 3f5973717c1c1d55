#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"
#include "plugins/datasets/echo_bench.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::fixture_path;
using support::settings;
using ::testing::HasSubstr;

constexpr std::int64_t speed_yes = 1;

struct speed_bench_rows : support::echo_bench {
  explicit speed_bench_rows(const std::string& path, settings given = {})
      : echo_bench("speed_bench", path, std::move(given)) {}
};

const std::string speed_bench_fixture = fixture_path("speed_bench");

class speed_bench_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(speed_bench_golden, samples_are_the_same_as_in_upstream) {
  support::is_golden_of("speed_bench", GetParam(), speed_bench_fixture);
}

INSTANTIATE_TEST_SUITE_P(seeds, speed_bench_golden, ::testing::ValuesIn(support::golden_runs));

TEST(speed_bench_dataset, the_first_message_goes_through_the_template) {
  speed_bench_rows b(speed_bench_fixture, {{"chat-template-kwargs", "{\"a\": 1}"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 8);
  EXPECT_EQ(b.box.info.flags,
            std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_RENDERED});
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.prompt(),
            R"({"messages": [{"role": "user", "content": "Qualitative item 1 about rivers."}], )"
            R"("add_generation_prompt": true, "a": 1})");
  EXPECT_EQ(b.box.sample.output_tokens, 4096);
}

TEST(speed_bench_dataset, only_rows_of_the_category_are_used) {
  speed_bench_rows b(speed_bench_fixture,
                     {{"category", "stem"}, {"skip-chat-template", speed_yes}, {"output-len", 8}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.info.rows, 2);
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "Qualitative item 7 about chess.");
  EXPECT_EQ(b.box.sample.output_tokens, 8);
  speed_bench_rows none(speed_bench_fixture, {{"category", "rag"}});
  EXPECT_EQ(none.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(none.box.message(), HasSubstr("there are coding, math, stem, writing"));
}

TEST(speed_bench_dataset, a_subset_is_a_file_of_the_folder) {
  const temporary_folder folder;
  folder.write("throughput_1k.jsonl", R"({"messages": [{"role": "user", "content": "short"}]})");
  folder.write("throughput_32k.jsonl", R"({"messages": [{"role": "user", "content": "long"}]})");
  speed_bench_rows b(folder.path(),
                     {{"dataset-subset", "throughput_32k"}, {"skip-chat-template", speed_yes}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "long");

  speed_bench_rows missing(folder.path());
  EXPECT_EQ(missing.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(missing.box.option_at_fault(), "dataset-subset");
  EXPECT_EQ(missing.box.message(), "there is no " + folder.path("qualitative.jsonl") +
                                       "; subsets of that folder: throughput_1k, throughput_32k");
}

TEST(speed_bench_dataset, a_wrong_folder_is_refused_with_the_source_of_the_data) {
  const temporary_folder folder;
  speed_bench_rows empty(folder.path());
  EXPECT_EQ(empty.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(empty.box.option_at_fault(), "path");
  EXPECT_THAT(empty.box.message(), HasSubstr("the prepare script of nvidia/SPEED-Bench"));
  for (const std::string& path :
       {speed_bench_fixture + "/qualitative.jsonl", folder.path("none")}) {
    speed_bench_rows b(path);
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    EXPECT_THAT(b.box.message(), HasSubstr("is not a folder"));
    EXPECT_THAT(b.box.message(), HasSubstr("prepare script"));
  }
}

TEST(speed_bench_dataset, rows_without_a_first_message_are_refused_with_their_line) {
  const char* const no_text =
      "the first of \"messages\" must be an object with a text in \"content\"";
  const char* const no_list = "\"messages\" must be a list of at least one message";
  const temporary_folder folder;
  for (const auto& [row, what] :
       {std::pair{R"({"turns": []})", "there is no \"messages\", only turns"},
        std::pair{R"({"messages": []})", no_list}, std::pair{R"({"messages": "x"})", no_list},
        std::pair{R"({"messages": ["x"]})", no_text},
        std::pair{R"({"messages": [{"content": ["x"]}]})", no_text}}) {
    const std::string path = folder.write("qualitative.jsonl", row);
    speed_bench_rows b(folder.path());
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
    EXPECT_EQ(b.box.message(), path + ":1: " + what);
  }
}

TEST(speed_bench_dataset, it_answers_to_the_name_with_a_dash) {
  const auto got = support::show_first("speed-bench", speed_bench_fixture);
  EXPECT_EQ(got.status, 0) << got.out;
  EXPECT_THAT(got.out, HasSubstr("\"expected_output_len\": 4096"));
}

}  // namespace
