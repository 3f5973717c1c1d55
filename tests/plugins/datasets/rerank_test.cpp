#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"

namespace {

using support::dataset_bench;
using support::settings;
using support::two_special;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

std::int64_t on_rerank = 1;

TEST(rerank_dataset, query_and_documents_are_the_same_as_in_upstream) {
  dataset_bench b("random-rerank", {{"input-len", "12"}, {"batch-size", 2}}, two_special());
  ASSERT_EQ(b.box.prepare(3, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 2);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SYNTHETIC});
  EXPECT_THAT(b.prompts(),
              ElementsAre("852 853 854 855 856\n639 640 641 642 643 644\n515 516 517 518 519 520",
                          "852 853 854 855 856\n274 275 276 277 278 279"));
  const std::int64_t tokens[] = {24, 12};
  for (std::uint64_t i = 0; i < 2; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXTS});
    EXPECT_EQ(b.box.sample.input_tokens, tokens[i]);
    EXPECT_EQ(b.box.sample.output_tokens, 0);
  }
  EXPECT_EQ(b.box.read(2), IFB_END);
  EXPECT_EQ(b.box.read(UINT64_MAX), IFB_END);
}

TEST(rerank_dataset, without_a_reranker_the_query_is_one_text_of_the_batch) {
  dataset_bench b("random-rerank",
                  {{"input-len", "12"}, {"batch-size", 3}, {"no-reranker", on_rerank}},
                  two_special());
  ASSERT_EQ(b.box.prepare(5, 0), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.info.rows, 2);
  for (std::uint64_t i = 0; i < 2; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.prompt.count, 3U);
    EXPECT_EQ(b.box.sample.input_tokens, 36);
  }
}

TEST(rerank_dataset, one_document_a_request_is_the_usual) {
  dataset_bench b("random-rerank", {{"input-len", "12"}});
  ASSERT_EQ(b.box.prepare(3), IFB_OK);
  EXPECT_EQ(b.box.info.rows, 3);
  ASSERT_EQ(b.box.read(2), IFB_OK);
  EXPECT_EQ(b.box.sample.prompt.count, 2U);
}

TEST(rerank_dataset, pairs_have_the_lengths_of_a_distribution) {
  const support::data_file lengths("[20, 11, 30]");
  dataset_bench b("random-rerank",
                  {{"input-len", "file(" + lengths.path() + ")"}, {"batch-size", 2}});
  ASSERT_EQ(b.box.prepare(40, 0), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.info.rows, 20);
  std::map<std::size_t, int> pairs;
  for (const std::string& prompt : b.prompts()) {
    std::istringstream lines(prompt);
    const auto next = [&] {
      std::string line;
      std::getline(lines, line);
      return static_cast<std::size_t>(std::ranges::count(line, ' ') + 1);
    };
    const std::size_t query = next();
    EXPECT_EQ(query, 4U) << "half of 11, less the token between the two";
    ++pairs[query + 1 + next()];
    ++pairs[query + 1 + next()];
  }
  EXPECT_THAT(pairs, ElementsAre(Pair(11, Gt(0)), Pair(20, Gt(0)), Pair(30, Gt(0))));
}

TEST(rerank_dataset, texts_without_a_reranker_have_the_lengths_of_a_distribution) {
  dataset_bench b("random-rerank",
                  {{"input-len", "uniform(3, 5)"}, {"batch-size", 4}, {"no-reranker", on_rerank}});
  ASSERT_EQ(b.box.prepare(40, 0), IFB_OK) << b.box.message();
  std::set<std::ptrdiff_t> seen;
  for (const std::string& prompt : b.prompts()) {
    std::istringstream lines(prompt);
    for (std::string line; std::getline(lines, line);)
      seen.insert(std::ranges::count(line, ' ') + 1);
  }
  EXPECT_THAT(seen, ElementsAre(3, 4, 5));
}

TEST(rerank_dataset, no_text_of_a_distribution_is_empty) {
  dataset_bench b("random-rerank", {{"input-len", "uniform(0, 4)"}});
  ASSERT_EQ(b.box.prepare(30, 0), IFB_OK) << b.box.message();
  for (const std::string& prompt : b.prompts()) {
    EXPECT_THAT(prompt, Not(StartsWith("\n")));
    EXPECT_THAT(prompt, Not(EndsWith("\n")));
  }
}

TEST(rerank_dataset, impossible_values_are_refused_with_their_option) {
  struct refusal {
    settings given;
    std::int64_t wanted;
    const char* option;
    const char* said;
  };
  const refusal cases[] = {
      {{{"no-reranker", on_rerank}}, 5, "batch-size", "one text of each request is the query"},
      {{{"no-reranker", on_rerank}, {"batch-size", 4}}, 1, "batch-size", "--num-prompts"},
      {{{"input-len", "uniform(5, 9)"}, {"range-ratio", "0.5"}}, 5, "range-ratio", "spread"},
      {{{"input-len", "triangle(5, 9)"}}, 5, "input-len", "no distribution"},
      {{{"input-len", "3"}}, 5, "input-len", "leave none for the query"},
      {{{"input-len", "0"}}, 5, "input-len", "leave none"},
      {{{"range-ratio", "1.0"}}, 5, "range-ratio", "below 1"},
  };
  for (const refusal& each : cases) {
    SCOPED_TRACE(each.said);
    dataset_bench b("random-rerank", each.given);
    EXPECT_EQ(b.box.prepare(each.wanted), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), each.option);
    EXPECT_THAT(b.box.message(), HasSubstr(each.said));
  }
}

}  // namespace
