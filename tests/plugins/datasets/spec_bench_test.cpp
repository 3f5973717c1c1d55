#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"
#include "plugins/datasets/echo_bench.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::dataset_box;
using support::fixture_path;
using support::settings;
using ::testing::HasSubstr;

constexpr std::int64_t spec_yes = 1;

struct spec_bench_rows : support::echo_bench {
  explicit spec_bench_rows(const std::string& path, settings given = {})
      : echo_bench("spec_bench", path, std::move(given)) {}
};

const std::string spec_bench_fixture = fixture_path("spec_bench/question.jsonl");

class spec_bench_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(spec_bench_golden, samples_are_the_same_as_in_upstream) {
  support::is_golden_of("spec_bench", GetParam(), spec_bench_fixture);
}

INSTANTIATE_TEST_SUITE_P(seeds, spec_bench_golden, ::testing::ValuesIn(support::golden_runs));

TEST(spec_bench_dataset, the_first_turn_goes_through_the_template) {
  spec_bench_rows b(spec_bench_fixture, {{"chat-template-kwargs", "{\"a\": 1}"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 15);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.prompt(),
            R"({"messages": [{"role": "user", "content": "First question in the category )"
            R"(\"writing\": explain bread in a short paragraph."}], )"
            R"("add_generation_prompt": true, "a": 1})");
  EXPECT_EQ(b.box.sample.output_tokens, 256);
  spec_bench_rows plain(spec_bench_fixture, {{"skip-chat-template", spec_yes}, {"output-len", 5}});
  ASSERT_EQ(plain.box.prepare(1), IFB_OK);
  ASSERT_EQ(plain.box.read(0), IFB_OK);
  EXPECT_THAT(plain.box.prompt(), ::testing::StartsWith("First question in"));
  EXPECT_EQ(plain.box.sample.output_tokens, 5);
}

TEST(spec_bench_dataset, a_category_leaves_its_rows_in_their_order) {
  const temporary_folder folder;
  const std::string path =
      folder.write("q.json", R"({"category": "math", "turns": ["m1"]})"
                             "\n"
                             R"({"category": "Math", "turns": ["other"]})"
                             "\n"
                             R"({"turns": ["none"]})"
                             "\n\n"
                             R"({"category": "math", "turns": ["m2", "later"]})");
  spec_bench_rows b(path, {{"category", "math"}, {"skip-chat-template", spec_yes}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.info.rows, 2);
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "m2");
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "m1");
  EXPECT_EQ(b.box.read(2), IFB_END);
  spec_bench_rows all(path, {{"category", ""}});
  ASSERT_EQ(all.box.prepare(1), IFB_OK);
  EXPECT_EQ(all.box.info.rows, 4);
}

TEST(spec_bench_dataset, an_unknown_category_is_refused_with_the_existing_categories) {
  const temporary_folder folder;
  const auto said = [&](const std::string& path) {
    spec_bench_rows b(path, {{"category", "mathe"}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "category");
    return b.box.message();
  };
  EXPECT_THAT(said(spec_bench_fixture),
              HasSubstr("no row has the category \"mathe\"; there are coding, extraction, "));
  const std::string none = folder.write("q.jsonl", R"({"turns": ["x"], "category": 3})");
  EXPECT_EQ(said(none), none + ": no row has the category \"mathe\"; none has any");
}

TEST(spec_bench_dataset, rows_without_a_first_turn_are_refused_with_their_line) {
  const temporary_folder folder;
  for (const auto& [row, what] :
       {std::pair{R"({"category": "math"})", "there is no \"turns\", only category"},
        std::pair{R"({"turns": []})", "\"turns\" must be a list that begins with a text"},
        std::pair{R"({"turns": "x"})", "\"turns\" must be a list that begins with a text"},
        std::pair{R"({"turns": [1, "x"]})", "\"turns\" must be a list that begins with a text"}}) {
    const std::string path = folder.write("q.jsonl", std::string("{\"turns\": [\"x\"]}\n") + row);
    spec_bench_rows b(path);
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
    EXPECT_EQ(b.box.message(), path + ":2: " + what);
  }
  // A row of another category need not have this member.
  spec_bench_rows b(
      folder.write("q.jsonl", "{\"category\": \"a\"}\n{\"category\": \"b\", \"turns\": [\"x\"]}"),
      {{"category", "b"}});
  EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
}

TEST(spec_bench_dataset, rows_name_no_answer_s_length) {
  spec_bench_rows b(spec_bench_fixture, {{"output-len", -1}});
  EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
  EXPECT_THAT(b.box.message(), HasSubstr(":1: the row has no \"output_tokens\""));
}

TEST(spec_bench_dataset, it_needs_a_tokenizer) {
  dataset_box box("spec_bench");
  ASSERT_EQ(box.create({{"path", spec_bench_fixture}}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("--tokenizer-mode"));
}

TEST(spec_bench_dataset, it_answers_to_the_name_with_a_dash) {
  const auto got = support::show_first("spec-bench", spec_bench_fixture);
  EXPECT_EQ(got.status, 0) << got.out;
  EXPECT_THAT(got.out, HasSubstr("First question in the category"));
}

}  // namespace
