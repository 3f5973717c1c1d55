// Synthetic datasets without an end: any row of a run whose number of requests is not known.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/word_tokenizer.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using support::dataset_box;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// All parts of row `row`, with a line for each.
std::string row_of(dataset_box& box, std::uint64_t row) {
  EXPECT_EQ(box.read(row), IFB_OK) << box.message();
  std::string out = box.prompt();
  for (std::size_t k = 1; k < box.sample.prompt.count; ++k)
    out += "\n" + box.prompt(k);
  return out;
}

std::int64_t words_in(const std::string& text) {
  return std::ranges::count(text, ' ') + std::ranges::count(text, '\n') + 1;
}

void expect_endless(dataset_box& box) {
  EXPECT_EQ(box.info.rows, -1);
  EXPECT_NE((box.operations().flags | box.info.flags) & IFB_DATASET_ENDLESS, 0U);
  EXPECT_NE(box.operations().flags & IFB_DATASET_ENDLESS, 0U) << "known before create";
  EXPECT_NE((box.operations().flags | box.info.flags) & IFB_DATASET_PARALLEL, 0U);
  const std::string far = row_of(box, 123'456'789'012);
  const std::string first = row_of(box, 0);
  EXPECT_NE(first, far);
  EXPECT_NE(first, row_of(box, 1));
  EXPECT_EQ(row_of(box, 123'456'789'012), far) << "the same at every call";
  EXPECT_EQ(row_of(box, 0), first);
}

TEST(endless, random_prompts_have_their_lengths_and_prefix) {
  dataset_bench b(
      "random",
      {{"input-len", "uniform(4, 6)"}, {"output-len", "uniform(7, 9)"}, {"prefix-len", "2"}});
  ASSERT_EQ(b.box.prepare(0, 3), IFB_OK) << b.box.message();
  expect_endless(b.box);
  std::set<std::int64_t> inputs;
  std::set<std::int64_t> outputs;
  const std::string first = row_of(b.box, 0);
  const std::string prefix = first.substr(0, first.find(' ', first.find(' ') + 1) + 1);
  for (std::uint64_t row = 0; row < 200; ++row) {
    const std::string text = row_of(b.box, row);
    EXPECT_THAT(text, StartsWith(prefix));
    EXPECT_EQ(b.box.sample.input_tokens, words_in(text));
    inputs.insert(b.box.sample.input_tokens);
    outputs.insert(b.box.sample.output_tokens);
  }
  EXPECT_THAT(inputs, ElementsAre(6, 7, 8));
  EXPECT_THAT(outputs, ElementsAre(7, 8, 9));
}

TEST(endless, random_prefixes_of_a_distribution_are_beginnings_of_one_prefix) {
  dataset_bench b("random", {{"input-len", "1"}, {"prefix-len", "uniform(1, 3)"}});
  ASSERT_EQ(b.box.prepare(-1, 0), IFB_OK) << b.box.message();
  std::set<std::string> prefixes;
  for (std::uint64_t row = 0; row < 100; ++row) {
    const std::string text = row_of(b.box, row);
    prefixes.insert(text.substr(0, text.rfind(' ')));
  }
  ASSERT_EQ(prefixes.size(), 3U);
  EXPECT_THAT(*std::next(prefixes.begin()), StartsWith(*prefixes.begin()));
  EXPECT_THAT(*prefixes.rbegin(), StartsWith(*prefixes.begin()));
}

TEST(endless, random_batches_and_ids_are_those_of_single_prompts) {
  const settings given = {{"input-len", "5"}, {"prompt-token-ids", std::int64_t{1}}};
  dataset_bench single("random", given);
  ASSERT_EQ(single.box.prepare(0, 1), IFB_OK);
  settings of_three = given;
  of_three["batch-size"] = std::int64_t{3};
  dataset_bench batch("random", of_three);
  ASSERT_EQ(batch.box.prepare(0, 1), IFB_OK);
  ASSERT_EQ(batch.box.read(2), IFB_OK);
  EXPECT_EQ(batch.box.sample.shape, std::uint32_t{IFB_PROMPT_TOKEN_LISTS});
  ASSERT_EQ(batch.box.sample.prompt.count, 3U);
  for (std::uint64_t i = 0; i < 3; ++i) {
    ASSERT_EQ(single.box.read(6 + i), IFB_OK);
    EXPECT_EQ(single.box.prompt(), batch.box.prompt(i));
  }
}

TEST(endless, seeds_tell_runs_apart) {
  const auto row = [](std::uint64_t seed) {
    dataset_bench b("random", {{"input-len", "5"}});
    EXPECT_EQ(b.box.prepare(0, seed), IFB_OK);
    return row_of(b.box, 4);
  };
  EXPECT_EQ(row(1), row(1));
  EXPECT_NE(row(1), row(2));
}

TEST(endless, lengths_that_come_out_otherwise_are_reported_once_after_the_first_thousand) {
  support::number_tokenizer grows;
  grows.tail = {9};
  dataset_bench b("random", {{"input-len", "3"}}, grows);
  ASSERT_EQ(b.box.prepare(0, 0), IFB_OK);
  const std::size_t before = b.box.host.log().size();
  for (std::uint64_t row = 0; row < 1100; ++row)
    ASSERT_EQ(b.box.read(row), IFB_OK);
  const auto log = b.box.host.log();
  ASSERT_EQ(log.size(), before + 1);
  EXPECT_THAT(log.back(), HasSubstr("1000 of 1000 prompts are not of the length asked for"));
}

TEST(endless, rerank_has_one_query_and_documents_of_the_rest_of_the_length) {
  dataset_bench b("random-rerank", {{"input-len", "12"}, {"batch-size", std::int64_t{2}}});
  ASSERT_EQ(b.box.prepare(0, 0), IFB_OK) << b.box.message();
  expect_endless(b.box);
  const std::string query = row_of(b.box, 0).substr(0, row_of(b.box, 0).find('\n'));
  EXPECT_EQ(words_in(query), 5);
  for (const std::uint64_t row : {0U, 1U, 77U}) {
    EXPECT_THAT(row_of(b.box, row), StartsWith(query + "\n"));
    ASSERT_EQ(b.box.sample.prompt.count, 3U);
    EXPECT_EQ(words_in(b.box.prompt(1)), 6);
    EXPECT_EQ(b.box.sample.input_tokens, 2 * (5 + 1 + 6));
  }
}

TEST(endless, rerank_pairs_have_the_lengths_of_a_distribution) {
  dataset_bench b("random-rerank", {{"input-len", "uniform(11, 13)"}});
  ASSERT_EQ(b.box.prepare(0, 0), IFB_OK) << b.box.message();
  std::set<std::int64_t> pairs;
  for (std::uint64_t row = 0; row < 100; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK);
    pairs.insert(b.box.sample.input_tokens);
  }
  EXPECT_THAT(pairs, ElementsAre(11, 12, 13));
}

TEST(endless, rerank_without_a_reranker_needs_more_than_one_text) {
  dataset_bench one("random-rerank", {{"no-reranker", std::int64_t{1}}});
  EXPECT_EQ(one.box.prepare(0), IFB_E_CONFIG);
  EXPECT_EQ(one.box.option_at_fault(), "batch-size");
  dataset_bench b(
      "random-rerank",
      {{"no-reranker", std::int64_t{1}}, {"batch-size", std::int64_t{3}}, {"input-len", "4"}});
  ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
  EXPECT_EQ(words_in(row_of(b.box, 9)), 3 * 4);
}

TEST(endless, prefix_repetition_draws_the_group_of_each_row) {
  dataset_bench b("prefix_repetition", {{"prefix-len", "3"},
                                        {"suffix-len", "uniform(2, 3)"},
                                        {"output-len", "uniform(4, 5)"},
                                        {"num-prefixes", std::int64_t{4}}});
  ASSERT_EQ(b.box.prepare(0, 0), IFB_OK) << b.box.message();
  expect_endless(b.box);
  EXPECT_NE(b.box.info.flags & IFB_DATASET_SYNTHETIC, 0U);
  std::set<std::string> prefixes;
  std::set<std::string> whole;
  for (std::uint64_t row = 0; row < 200; ++row) {
    const std::string text = row_of(b.box, row);
    std::size_t at = 0;
    for (int i = 0; i < 3; ++i)
      at = text.find(' ', at) + 1;
    prefixes.insert(text.substr(0, at));
    whole.insert(text);
    EXPECT_EQ(b.box.sample.input_tokens, words_in(text));
  }
  EXPECT_EQ(prefixes.size(), 4U);
  EXPECT_GT(whole.size(), 190U);
}

TEST(endless, prefix_repetition_takes_more_prefixes_than_rows) {
  dataset_bench b(
      "prefix_repetition",
      {{"prefix-len", "1"}, {"suffix-len", "1"}, {"num-prefixes", std::int64_t{2'000'000'000}}});
  EXPECT_EQ(b.box.prepare(0, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(words_in(row_of(b.box, 5)), 2);
}

TEST(endless, sonnet_draws_lines_for_each_row) {
  std::string lines;
  for (int i = 0; i < 10; ++i)
    lines += "w" + std::to_string(i) + "\n";
  const data_file file(lines);
  dataset_box box("sonnet");
  box.host.services[IFB_SERVICE_TOKENIZER] = &support::word_tokenizer;
  ASSERT_EQ(box.create({{"path", file.path()},
                        {"input-len", "40"},
                        {"output-len", "uniform(3, 4)"},
                        {"prefix-len", std::int64_t{16}}}),
            IFB_OK)
      << box.message();
  ASSERT_EQ(box.prepare(0, 0), IFB_OK) << box.message();
  expect_endless(box);
  std::set<std::int64_t> outputs;
  for (std::uint64_t row = 0; row < 50; ++row) {
    EXPECT_THAT(row_of(box, row), HasSubstr("\nw0\n")) << "the fixed line";
    EXPECT_LE(box.sample.input_tokens, 40);
    outputs.insert(box.sample.output_tokens);
  }
  EXPECT_THAT(outputs, ElementsAre(3, 4));
}

TEST(endless, slices_begin_anywhere_in_the_text) {
  std::string text;
  for (int i = 100; i < 200; ++i)
    text += (text.empty() ? "" : " ") + std::to_string(i);
  const data_file file(text);
  dataset_bench b(
      "txt-slices",
      {{"path", file.path()}, {"input-len", "uniform(2, 3)"}, {"output-len", "uniform(4, 5)"}});
  ASSERT_EQ(b.box.prepare(0, 0), IFB_OK) << b.box.message();
  expect_endless(b.box);
  std::set<std::string> begins;
  for (std::uint64_t row = 0; row < 2000; ++row) {
    const std::string slice = row_of(b.box, row);
    begins.insert(slice.substr(0, 3));
    EXPECT_EQ(b.box.sample.input_tokens, words_in(slice));
  }
  EXPECT_EQ(begins.size(), 100U);
  EXPECT_THAT(b.box.host.log(), IsEmpty());
}

}  // namespace
