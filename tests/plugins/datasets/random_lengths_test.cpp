// Tests the features of the dataset "random" that upstream does not have: distributions of lengths,
// prompts as token ids, and the cache of prompts on disk.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "support/sanitizer.hpp"
#include "support/temporary_folder.hpp"

namespace {

using support::dataset_bench;
using support::number_tokenizer;
using support::settings;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::int64_t on = 1;  // the value of a switch

TEST(random_lengths, of_prompts_and_answers_are_drawn_from_the_given_distributions) {
  dataset_bench b("random", {{"input-len", "uniform(3, 5)"}, {"output-len", "normal(50, 4)"}});
  ASSERT_EQ(b.box.prepare(500, 1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts of uniform(3, 5) tokens, answers of normal(50, 4)"));
  std::set<std::int64_t> inputs;
  double outputs = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    inputs.insert(b.box.sample.input_tokens);
    outputs += static_cast<double>(b.box.sample.output_tokens);
  }
  EXPECT_THAT(inputs, ElementsAre(3, 4, 5));
  // The standard error of this mean is 4 / sqrt(500) = 0.18 tokens.
  EXPECT_NEAR(outputs / 500, 50, 0.8);
}

TEST(random_lengths, of_the_prefix_tell_how_many_of_its_tokens_begin_each_prompt) {
  dataset_bench b("random", {{"input-len", "2"}, {"prefix-len", "uniform(1, 4)"}});
  ASSERT_EQ(b.box.prepare(200, 1), IFB_OK) << b.box.message();
  const auto texts = b.prompts();
  const std::string longest = *std::ranges::max_element(
      texts, {}, [](const auto& text) { return std::ranges::count(text, ' '); });
  std::set<std::int64_t> inputs;
  for (std::uint64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    inputs.insert(b.box.sample.input_tokens);
    // The prefix has 2 tokens fewer than the whole input, and each token is a word.
    std::size_t end = 0;
    for (std::int64_t k = 0; k < b.box.sample.input_tokens - 2; ++k)
      end = longest.find(' ', end) + 1;
    EXPECT_THAT(texts[i], ::testing::StartsWith(longest.substr(0, end)));
  }
  EXPECT_THAT(inputs, ElementsAre(3, 4, 5, 6));
}

TEST(random_lengths, that_are_not_valid_are_refused_with_the_name_of_the_option) {
  const std::tuple<settings, const char*, const char*> cases[] = {
      {{{"input-len", "x"}}, "input-len", "not \"x\""},
      {{{"output-len", "uniform(2, 1)"}}, "output-len", "the lower limit first"},
      {{{"prefix-len", "-1"}}, "prefix-len", "from 0 to 2147483647"},
      {{{"input-len", "normal(9, 1)"}, {"range-ratio", "0.1"}}, "range-ratio", "leave one of them"},
  };
  for (const auto& [given, option, said] : cases) {
    SCOPED_TRACE(said);
    dataset_bench b("random", given);
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), option);
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  }
}

TEST(random_ids, are_equal_to_the_ids_of_the_encoded_text) {
  dataset_bench b("random",
                  {{"input-len", "6"},
                   {"output-len", "8"},
                   {"prefix-len", "2"},
                   {"range-ratio", R"({"input": 0.5, "output": 0.25})"},
                   {"prompt-token-ids", on}},
                  support::two_special());
  ASSERT_EQ(b.box.prepare(3, 0), IFB_OK) << b.box.message();
  EXPECT_THAT(b.ids(), ElementsAre(ElementsAre(813, 650, 77, 78, 79, 80, 81, 82, 83, 84),
                                   ElementsAre(813, 650, 19, 20, 21, 22, 23, 24, 25),
                                   ElementsAre(813, 650, 179, 180, 181, 182, 183, 184)));
  EXPECT_EQ(b.box.sample.output_tokens, 6);
}

TEST(random_ids, have_the_special_tokens_that_a_server_adds_to_a_text) {
  number_tokenizer adds;
  adds.added = 2;
  adds.tail = {9};  // encoding appends an id, so some prompts must also be padded or truncated
  dataset_bench b("random", {{"input-len", "uniform(9, 12)"}, {"prompt-token-ids", on}}, adds);
  ASSERT_EQ(b.box.prepare(100, 0), IFB_OK);
  for (const auto& ids : b.ids()) {
    EXPECT_EQ(ids[0], 0U);
    EXPECT_EQ(ids[1], 0U);
    EXPECT_LE(ids.size(), 13U);
  }
}

TEST(random_ids, of_a_batch_are_one_list_for_each_prompt) {
  dataset_bench b("random", {{"input-len", "3"}, {"batch-size", 2}, {"prompt-token-ids", on}});
  ASSERT_EQ(b.box.prepare(3), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TOKEN_LISTS});
  EXPECT_EQ(b.box.sample.prompt.count, 2U);
  EXPECT_EQ(b.box.sample.input_tokens, 6);
}

// The cache of prompts below $XDG_CACHE_HOME, which is a temporary folder.
class prompt_cache : public ::testing::Test {
 protected:
  prompt_cache() { ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }

  // Makes 10,000 prompts, which are enough to be stored, and returns them. `digest`: of the
  // tokenizer; nullptr: not known.
  std::vector<std::string> run(const char* dataset, settings given, const char* digest,
                               std::uint64_t seed = 1) {
    number_tokenizer tokenizer;
    tokenizer.digest = digest;
    dataset_bench b(dataset, given, tokenizer);
    EXPECT_EQ(b.box.prepare(10'000, seed), IFB_OK) << b.box.message();
    if (given.contains("prompt-token-ids")) (void)b.ids();
    auto out = b.prompts();
    log = b.box.host.log();
    return out;
  }
  // The number of files in the cache.
  [[nodiscard]] std::size_t files() const {
    const auto where = folder.root / "inferbench" / "prompts";
    return !std::filesystem::exists(where) ? 0
                                           : static_cast<std::size_t>(std::distance(
                                                 std::filesystem::directory_iterator(where), {}));
  }

  inferbench::support::temporary_folder folder;
  std::vector<std::string> log;  // of the latest run()
};

TEST_F(prompt_cache, gives_a_large_set_only_to_runs_with_the_same_settings_seed_and_tokenizer) {
  const std::tuple<const char*, settings> cases[] = {
      {"random", {{"input-len", "4"}, {"prefix-len", "2"}}},
      {"random", {{"input-len", "4"}, {"prefix-len", "2"}, {"prompt-token-ids", on}}},
      {"random-rerank", {{"input-len", "12"}, {"batch-size", 4}}},
      {"prefix_repetition", {{"prefix-len", "4"}, {"suffix-len", "3"}}},
      {"prefix_repetition", {{"prefix-len", "4"}, {"suffix-len", "uniform(2, 4)"}}},
  };
  std::size_t expected = 0;
  for (const auto& [dataset, given] : cases) {
    SCOPED_TRACE(dataset);
    const auto first = run(dataset, given, "abc");
    EXPECT_THAT(log, Not(Contains(HasSubstr("used again"))));
    EXPECT_EQ(files(), ++expected);
    EXPECT_EQ(run(dataset, given, "abc"), first);
    EXPECT_THAT(log, Contains(HasSubstr("used again")));
    EXPECT_EQ(files(), expected);
    // With a sanitizer, the first case is enough for the runs that must not use the file.
    if (inferbench::support::sanitized && expected > 1) continue;
    EXPECT_NE(run(dataset, given, "abc", 2), first);
    EXPECT_THAT(log, Not(Contains(HasSubstr("used again"))));
    EXPECT_EQ(files(), ++expected);
    (void)run(dataset, given, "another tokenizer");
    EXPECT_THAT(log, Not(Contains(HasSubstr("used again"))));
    EXPECT_EQ(files(), ++expected);
  }
}

TEST_F(prompt_cache, stores_nothing_for_a_tokenizer_without_digest_or_with_no_prompt_cache) {
  (void)run("random", {{"input-len", "4"}}, nullptr);
  for (const char* dataset : {"random", "random-rerank"})
    (void)run(dataset, {{"input-len", "8"}, {"no-prompt-cache", on}}, "abc");
  (void)run("prefix_repetition",
            {{"prefix-len", "1"}, {"suffix-len", "1"}, {"no-prompt-cache", on}}, "abc");
  EXPECT_EQ(files(), 0U);
}

}  // namespace
