#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/bench.hpp"

namespace {

using support::dataset_bench;
using support::number_tokenizer;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const settings toy = {{"prefix-len", "3"}, {"suffix-len", "2"}, {"num-prefixes", 3}};

// The rows in the order after the host's shuffle.
std::vector<std::string> shuffled(std::vector<std::string> rows, std::uint64_t seed) {
  ifb::python_random(seed).shuffle(rows);
  return rows;
}

TEST(prefix_repetition, prompts_and_their_order_are_the_same_as_in_upstream) {
  dataset_bench b("prefix_repetition", toy);
  ASSERT_EQ(b.box.prepare(6, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SYNTHETIC | IFB_DATASET_SHUFFLE});
  EXPECT_THAT(shuffled(b.prompts(), 0),
              ElementsAre("70 472 600 396 314", "359 9 723 277 754", "684 559 629 763 707",
                          "684 559 629 192 835", "70 472 600 705 486", "359 9 723 804 599"));
  EXPECT_EQ(b.box.sample.input_tokens, 5);
  EXPECT_EQ(b.box.sample.output_tokens, 128);
  EXPECT_EQ(b.box.read(6), IFB_END);
}

TEST(prefix_repetition, the_remaining_prompts_go_to_the_first_groups) {
  dataset_bench b("prefix_repetition", toy);
  ASSERT_EQ(b.box.prepare(8, 0), IFB_OK);
  std::vector<std::string> begins;
  for (const std::string& text : b.prompts())
    begins.push_back(text.substr(0, text.find(' ', text.find(' ') + 1)));
  ASSERT_EQ(begins.size(), 8U);
  EXPECT_EQ(std::set(begins.begin(), begins.end()).size(), 3U);
  EXPECT_EQ(std::ranges::count(begins, begins[0]), 3);
  EXPECT_EQ(std::ranges::count(begins, begins[3]), 3);
  EXPECT_EQ(std::ranges::count(begins, begins[6]), 2);
}

// Padding takes random numbers from the generator, so pieces that were drawn in advance must be
// drawn again.
TEST(prefix_repetition, padded_pieces_move_all_that_come_after_them) {
  number_tokenizer lossy;
  lossy.size = 200;
  lossy.decoded = [](std::span<const std::uint32_t> ids) {
    std::vector<std::uint32_t> out;
    std::ranges::copy_if(ids, std::back_inserter(out), [](auto id) { return id % 50 != 0; });
    return out;
  };
  const settings given = {{"prefix-len", "4"}, {"suffix-len", "3"}, {"num-prefixes", 5}};
  dataset_bench b("prefix_repetition", given, lossy);
  ASSERT_EQ(b.box.prepare(400, 7), IFB_OK);
  const auto found = b.prompts();

  // Computes the pieces one after another, as upstream does.
  ifb::numpy_legacy random(7);
  const auto piece = [&](std::size_t count) {
    std::vector<std::uint32_t> ids;
    for (int round = 0; round < 11 && ids.size() < count; ++round) {
      while (ids.size() < count)
        ids.push_back(static_cast<std::uint32_t>(random.randint(0, 200)));
      ids = lossy.decoded(ids);
    }
    std::string out;
    for (const auto id : ids)
      out += " " + std::to_string(id);
    return out;
  };
  std::vector<std::string> expected;
  for (int group = 0; group < 5; ++group) {
    const std::string prefix = piece(4);
    for (int i = 0; i < 80; ++i)
      expected.push_back((prefix + piece(3)).substr(1));
  }
  EXPECT_EQ(found, expected);
}

TEST(prefix_repetition, a_row_is_the_same_whenever_it_is_asked_for) {
  dataset_bench straight("prefix_repetition", toy);
  ASSERT_EQ(straight.box.prepare(300, 5), IFB_OK);
  const auto expected = straight.prompts();
  dataset_bench jumping("prefix_repetition", toy);
  ASSERT_EQ(jumping.box.prepare(300, 5), IFB_OK);
  for (const std::uint64_t row : {299U, 3U, 150U, 0U, 299U}) {
    ASSERT_EQ(jumping.box.read(row), IFB_OK);
    EXPECT_EQ(jumping.box.prompt(), expected[row]);
  }
}

TEST(prefix_repetition, lengths_may_be_drawn_without_disturbing_the_ids) {
  dataset_bench b("prefix_repetition", {{"prefix-len", "3"},
                                        {"suffix-len", "uniform(2, 4)"},
                                        {"num-prefixes", 2},
                                        {"output-len", "uniform(5, 9)"}});
  ASSERT_EQ(b.box.prepare(200, 0), IFB_OK);
  std::set<std::int64_t> inputs;
  std::set<std::int64_t> outputs;
  for (std::uint64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    inputs.insert(b.box.sample.input_tokens);
    outputs.insert(b.box.sample.output_tokens);
  }
  EXPECT_THAT(inputs, ElementsAre(5, 6, 7));
  EXPECT_THAT(outputs, ElementsAre(5, 6, 7, 8, 9));
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_THAT(b.box.prompt(), ::testing::StartsWith("684 559 629 "));
}

TEST(prefix_repetition, prompts_may_go_as_ids) {
  dataset_bench text("prefix_repetition", toy);
  ASSERT_EQ(text.box.prepare(6, 0), IFB_OK);
  settings given = toy;
  given["prompt-token-ids"] = std::int64_t{1};
  dataset_bench b("prefix_repetition", given);
  ASSERT_EQ(b.box.prepare(6, 0), IFB_OK);
  const auto found = b.ids();
  EXPECT_THAT(found.front(), ElementsAre(684, 559, 629, 192, 835));
  EXPECT_EQ(found.size(), text.prompts().size());
}

TEST(prefix_repetition, pieces_of_another_length_are_reported_once) {
  number_tokenizer grows;
  grows.tail = {9};
  dataset_bench b("prefix_repetition", toy, grows);
  ASSERT_EQ(b.box.prepare(6, 0), IFB_OK);
  (void)b.prompts();
  (void)b.prompts();
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre(HasSubstr("prompts of 3 tokens from one of 3 prefixes and 2 of their own"),
                  HasSubstr("9 of 9 prefixes and suffixes are not of the length asked for: "
                            "9 tokens too many"),
                  HasSubstr("6 of 6 prompts are not of the length asked for")));
}

TEST(prefix_repetition, the_log_tells_only_of_prefixes_that_there_are) {
  const auto told = [](settings given) {
    dataset_bench b("prefix_repetition", given);
    EXPECT_EQ(b.box.prepare(3, 0), IFB_OK);
    return b.box.host.log();
  };
  EXPECT_THAT(told({{"prefix-len", "0"},
                    {"suffix-len", "2"},
                    {"num-prefixes", std::int64_t{1}},
                    {"output-len", "4"}}),
              ElementsAre(HasSubstr("prompts of 2 tokens without a common prefix, answers of 4")));
  EXPECT_THAT(told({{"prefix-len", "3"},
                    {"suffix-len", "2"},
                    {"num-prefixes", std::int64_t{1}},
                    {"output-len", "4"}}),
              ElementsAre(HasSubstr(
                  "prompts of 3 tokens from one common prefix and 2 of their own, answers of 4")));
}

TEST(prefix_repetition, impossible_values_are_refused_with_their_option) {
  struct refusal {
    settings given;
    std::int64_t wanted;
    const char* option;
    const char* said;
  };
  const refusal cases[] = {
      {{}, 9, "num-prefixes", "9 requests are too few for 10 prefixes"},
      {{{"prefix-len", "0"}, {"suffix-len", "0"}}, 10, "suffix-len", "no tokens"},
      {{{"prefix-len", "many"}}, 10, "prefix-len", "not \"many\""},
      {{{"suffix-len", "-1"}}, 10, "suffix-len", "from 0"},
      {{{"output-len", "normal(0, 1)"}}, 10, "output-len", "the mean is not above 0"},
  };
  for (const refusal& each : cases) {
    SCOPED_TRACE(each.said);
    dataset_bench b("prefix_repetition", each.given);
    EXPECT_EQ(b.box.prepare(each.wanted), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), each.option);
    EXPECT_THAT(b.box.message(), HasSubstr(each.said));
  }
}

}  // namespace
