#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace {

using support::dataset_box;
using support::number_tokenizer;
using support::settings;
using support::two_special;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct random_bench {
  explicit random_bench(const settings& given, number_tokenizer t = {}) : tokenizer(std::move(t)) {
    tokenizer.offer(box.host);
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  std::vector<std::string> prompts() {
    std::vector<std::string> out;
    for (std::int64_t i = 0; i < box.info.rows; ++i) {
      EXPECT_EQ(box.read(static_cast<std::uint64_t>(i)), IFB_OK) << box.message();
      out.push_back(box.prompt());
    }
    return out;
  }
  number_tokenizer tokenizer;
  dataset_box box{"random"};
};

const settings random_toy = {{"input-len", "6"},
                             {"output-len", "8"},
                             {"range-ratio", R"({"input": 0.5, "output": 0.25})"},
                             {"prefix-len", "2"}};

std::size_t tokens_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

TEST(random_dataset, prompts_are_the_same_as_in_upstream) {
  random_bench b(random_toy, two_special());
  ASSERT_EQ(b.box.prepare(3, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 3);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SYNTHETIC});
  const std::vector<std::string> expected = {"813 650 77 78 79 80 81 82 83 84",
                                             "813 650 19 20 21 22 23 24 25",
                                             "813 650 179 180 181 182 183 184"};
  const std::vector<std::int64_t> outputs = {7, 7, 6};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.prompt(), expected[i]);
    EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
    EXPECT_EQ(b.box.sample.input_tokens, static_cast<std::int64_t>(tokens_in(expected[i])));
    EXPECT_EQ(b.box.sample.output_tokens, outputs[i]);
  }
  EXPECT_EQ(b.box.read(3), IFB_END);
}

TEST(random_dataset, lengths_offsets_and_prefix_have_the_sizes_of_gpt2) {
  number_tokenizer gpt2;
  gpt2.size = 50257;
  gpt2.special = {50256};
  random_bench b(
      {{"input-len", "50"}, {"output-len", "20"}, {"range-ratio", "0.3"}, {"prefix-len", "7"}},
      gpt2);
  ASSERT_EQ(b.box.prepare(4, 0), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts of 35 to 65 tokens after a prefix of 7, answers of 14 to 26"));
  const std::int64_t inputs[] = {61, 54, 50, 43};
  const std::int64_t outputs[] = {18, 14, 14, 14};
  const std::uint32_t offsets[] = {8808, 40872, 32637, 45872};
  for (std::uint32_t i = 0; i < 4; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_THAT(b.box.prompt(), ::testing::StartsWith("25310 30487 48785 36661 31775 27320 28139 " +
                                                      std::to_string(offsets[i] + i) + " " +
                                                      std::to_string(offsets[i] + i + 1) + " "));
    EXPECT_EQ(b.box.sample.input_tokens, 7 + inputs[i]);
    EXPECT_EQ(b.box.sample.output_tokens, outputs[i]);
  }
}

// In a text some ids vanish and some become two; the model adds two tokens.
number_tokenizer lossy() {
  number_tokenizer out;
  out.size = 200;
  out.added = 2;
  out.special = {3, 5};
  out.decoded = [](std::span<const std::uint32_t> ids) {
    std::vector<std::uint32_t> text;
    for (const std::uint32_t id : ids) {
      if (id % 7 == 0) continue;
      if (id % 11 == 0)
        text.insert(text.end(), {id + 1, id + 2});
      else
        text.push_back(id);
    }
    return text;
  };
  return out;
}

const settings lossy_run = {{"input-len", "9"},
                            {"output-len", "6"},
                            {"range-ratio", R"({"output": 0.5, "input": 0.3})"},
                            {"prefix-len", "3"}};

TEST(random_dataset, a_text_that_encodes_otherwise_is_padded_and_cut_as_upstream_does) {
  random_bench b(lossy_run, lossy());
  ASSERT_EQ(b.box.prepare(6, 5), IFB_OK) << b.box.message();
  EXPECT_THAT(b.prompts(),
              ElementsAre("31 199 39 116 117 118 120 122 123 122 123",
                          "31 199 39 85 86 87 89 90 89 90 92 130", "31 199 39 30 31 32 34",
                          "31 199 39 15 16 17 18 19 20 23 24 150", "31 199 39 6 8 9 10 12 13 12",
                          "31 199 39 16 17 18 19 20 23 24"));
}

TEST(random_dataset, a_row_is_the_same_whenever_it_is_asked_for) {
  random_bench straight(lossy_run, lossy());
  ASSERT_EQ(straight.box.prepare(40, 5), IFB_OK);
  const auto expected = straight.prompts();
  random_bench jumping(lossy_run, lossy());
  ASSERT_EQ(jumping.box.prepare(40, 5), IFB_OK);
  for (const std::uint64_t row : {7U, 3U, 39U, 0U, 12U, 39U, 38U, 7U}) {
    ASSERT_EQ(jumping.box.read(row), IFB_OK);
    EXPECT_EQ(jumping.box.prompt(), expected[row]) << row;
  }
}

TEST(random_dataset, seeds_tell_runs_apart_and_nothing_else_does) {
  const auto run = [](std::uint64_t seed, std::int64_t wanted) {
    random_bench b(lossy_run, lossy());
    EXPECT_EQ(b.box.prepare(wanted, seed), IFB_OK);
    return b.prompts();
  };
  EXPECT_EQ(run(1, 20), run(1, 20));
  EXPECT_NE(run(1, 20), run(2, 20));
}

TEST(random_dataset, lengths_stay_in_their_interval_and_fill_it) {
  random_bench b({{"input-len", "10"}, {"output-len", "4"}, {"range-ratio", "0.25"}});
  ASSERT_EQ(b.box.prepare(2000, 3), IFB_OK);
  std::set<std::int64_t> inputs;
  std::set<std::int64_t> outputs;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    inputs.insert(b.box.sample.input_tokens);
    outputs.insert(b.box.sample.output_tokens);
  }
  EXPECT_THAT(inputs, ElementsAre(7, 8, 9, 10, 11, 12, 13));
  EXPECT_THAT(outputs, ElementsAre(3, 4, 5));
}

TEST(random_dataset, tokens_that_the_model_adds_are_taken_off_the_length) {
  number_tokenizer adds;
  adds.added = 3;
  random_bench b({{"input-len", "10"}, {"output-len", "0"}}, adds);
  ASSERT_EQ(b.box.prepare(2), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.sample.input_tokens, 7);
  EXPECT_EQ(b.box.sample.output_tokens, 1);  // the minimum
}

TEST(random_dataset, special_tokens_never_appear_where_no_padding_is_needed) {
  number_tokenizer few;
  few.size = 8;
  few.special = {2, 5};
  random_bench b(settings{{"input-len", "50"}}, few);
  ASSERT_EQ(b.box.prepare(5), IFB_OK);
  for (const std::string& text : b.prompts()) {
    EXPECT_THAT(text, ::testing::Not(HasSubstr("2")));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("5")));
    EXPECT_EQ(tokens_in(text), 50U);
  }
}

TEST(random_dataset, a_batch_is_one_request_of_several_texts) {
  random_bench single({{"input-len", "4"}, {"output-len", "9"}});
  ASSERT_EQ(single.box.prepare(5), IFB_OK);
  const auto texts = single.prompts();
  random_bench b({{"input-len", "4"}, {"output-len", "9"}, {"batch-size", 2}});
  ASSERT_EQ(b.box.prepare(5), IFB_OK);
  EXPECT_EQ(b.box.info.rows, 3);
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXTS});
  ASSERT_EQ(b.box.sample.prompt.count, 2U);
  EXPECT_EQ(b.box.prompt(0), texts[2]);
  EXPECT_EQ(b.box.prompt(1), texts[3]);
  EXPECT_EQ(b.box.sample.input_tokens, 8);
  EXPECT_EQ(b.box.sample.output_tokens, 0);
  ASSERT_EQ(b.box.read(2), IFB_OK);
  EXPECT_EQ(b.box.sample.prompt.count, 1U);
  EXPECT_EQ(b.box.read(3), IFB_END);
  EXPECT_EQ(b.box.read(UINT64_MAX), IFB_END);
}

TEST(random_dataset, prompts_of_another_length_are_reported_once) {
  number_tokenizer grows;
  grows.tail = {9};
  random_bench b({{"input-len", "4"}, {"prefix-len", "2"}}, grows);
  ASSERT_EQ(b.box.prepare(3), IFB_OK);
  EXPECT_EQ(b.prompts().size(), 3U);
  EXPECT_EQ(b.box.sample.input_tokens, 7);  // 2 + 4, and one token that is always added
  EXPECT_EQ(b.prompts().size(), 3U);
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts of 4 tokens after a prefix of 2, answers of 128",
                          "the common prefix has 3 tokens, not the 2 asked for",
                          "3 of 3 prompts are not of the length asked for: 3 tokens too many in "
                          "all, as some ids do not survive decoding and encoding"));
}

TEST(random_dataset, range_ratios_may_be_written_as_numbers_objects_and_strings) {
  for (const char* text :
       {"0.5", ".5", "5e-1", " 0.5 ", "\"0.5\"", "\".5\"", R"({"input": 0.5, "output": 0.5})",
        R"("{\"input\": 0.5, \"output\": 0.5}")"}) {
    SCOPED_TRACE(text);
    random_bench b({{"input-len", "10"}, {"output-len", "10"}, {"range-ratio", text}});
    ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    EXPECT_THAT(b.box.host.log(), ElementsAre("prompts of 5 to 15 tokens, answers of 5 to 15"));
  }
}

TEST(random_dataset, a_bad_range_ratio_is_refused_by_name) {
  const std::pair<const char*, const char*> cases[] = {
      {"1.0", "input length must be at least 0 and below 1, not 1.0"},
      {"-0.1", "input length must be at least 0 and below 1, not -0.1"},
      {"\"nan\"", "not nan"},
      {R"({"input": 0.1, "output": 1.5})", "output length must be at least 0 and below 1, not 1.5"},
      {R"({"input": 0.1})", "the range ratio has no number \"output\""},
      {R"({"input": 0.1, "output": "x"})", "the range ratio has no number \"output\""},
      {"[0.1]", "neither a number nor an object"},
      {"true", "neither a number nor an object"},
      {"half", "not a number and not JSON: half"},
      {"\"{\"", "not a number and not JSON: {"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    random_bench b(settings{{"range-ratio", text}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "range-ratio");
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  }
}

TEST(random_dataset, prompts_that_may_come_out_empty_are_refused) {
  number_tokenizer adds;
  adds.added = 2;
  random_bench b({{"input-len", "3"}, {"range-ratio", "0.5"}}, adds);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "input-len");
  EXPECT_THAT(b.box.message(), HasSubstr("3 tokens less 2 that the model adds"));

  random_bench prefixed({{"input-len", "0"}, {"prefix-len", "4"}}, adds);
  ASSERT_EQ(prefixed.box.prepare(1), IFB_OK) << prefixed.box.message();
  ASSERT_EQ(prefixed.box.read(0), IFB_OK);
  EXPECT_EQ(prefixed.box.sample.input_tokens, 4);
}

TEST(random_dataset, without_a_tokenizer_the_message_says_which_flag_to_give) {
  dataset_box box("random");
  ASSERT_EQ(box.create({}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("--tokenizer-mode"));
}

TEST(random_dataset, a_tokenizer_without_a_vocabulary_is_named) {
  number_tokenizer none;
  none.vocabulary_status = IFB_E_UNSUPPORTED;
  random_bench b(settings{}, none);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(b.box.message(), HasSubstr("the tokenizer numbers has no vocabulary"));

  number_tokenizer special_only;
  special_only.size = 2;
  special_only.special = {0, 1};
  random_bench all(settings{}, special_only);
  EXPECT_EQ(all.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(all.box.message(), HasSubstr("special tokens only"));
}

TEST(random_dataset, memory_that_runs_out_is_a_status) {
  random_bench b(settings{{"input-len", "4"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  support::expect_memory_needed(b.box, 2);
}

}  // namespace
