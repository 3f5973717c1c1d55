#include "datasets/synthetic/endless_prompts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/synthetic/tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace synthetic {
namespace {

length_range fixed(const char* text) { return length_range::of(length::parse(text, "x")); }

struct endless_bench {
  endless_bench() {
    tokenizer.size = 300;
    tokenizer.special = {0, 1};
    // In a text every seventh id vanishes, so that many prompts are padded.
    tokenizer.decoded = [](std::span<const std::uint32_t> ids) {
      std::vector<std::uint32_t> text;
      for (const std::uint32_t id : ids)
        if (id % 7 != 0) text.push_back(id);
      return text;
    };
    tokenizer.offer(given);
  }

  endless_prompts made(endless_lengths lengths) {
    const auto service = tokenizer_of(host);
    const auto words = vocabulary_of(service);
    run_style style;
    style.allowed = words.allowed(words.size);
    style.beginning = {5, 6, 8};
    style.longest_prefix = 3;
    return {host, run_maker(prompt_maker(service, words.size), std::move(style)),
            std::move(lengths), words.size, 11};
  }

  support::number_tokenizer tokenizer;
  support::host given;
  ifb::host host{given.table()};
};

TEST(endless_prompts, any_prompt_can_be_made_at_any_time) {
  endless_bench b;
  const endless_prompts all = b.made({fixed("uniform(3, 9)"), fixed("5"), fixed("0")});
  const std::string late = all.at(1'000'000'000'000).text.text;
  const std::string early = all.at(3).text.text;
  EXPECT_NE(early, late);
  EXPECT_EQ(all.at(1'000'000'000'000).text.text, late);
  EXPECT_EQ(all.at(3).text.text, early);
}

TEST(endless_prompts, each_has_a_generator_that_goes_on_after_the_text) {
  endless_bench b;
  const endless_prompts all = b.made({fixed("12"), fixed("5"), fixed("0")});
  ifb::numpy_pcg64 third(0);
  ifb::numpy_pcg64 again(1);
  ifb::numpy_pcg64 fourth(0);
  EXPECT_EQ(all.at(3, third).text.text, all.at(3).text.text);
  (void)all.at(3, again);
  (void)all.at(4, fourth);
  EXPECT_TRUE(third == again);
  EXPECT_FALSE(third == fourth);
}

TEST(endless_prompts, have_their_length_after_padding) {
  endless_bench b;
  const endless_prompts all = b.made({fixed("12"), fixed("5"), fixed("0")});
  for (std::uint64_t i = 0; i < 200; ++i) {
    const endless_prompts::finished_prompt one = all.at(i);
    EXPECT_EQ(one.text.tokens, 12U);
    EXPECT_EQ(one.text.mismatch, 0);
    EXPECT_EQ(one.output, 5U);
  }
  EXPECT_THAT(b.given.log(), ::testing::IsEmpty());
}

TEST(endless_prompts, a_prefix_is_at_most_as_long_as_the_beginning) {
  endless_bench b;
  const endless_prompts all = b.made({fixed("2"), fixed("5"), fixed("uniform(1, 9)")});
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_LE(all.at(i).text.tokens, 5U);
}

TEST(endless_prompts, each_draw_may_be_adapted) {
  endless_bench b;
  endless_lengths lengths{fixed("uniform(5, 9)"), fixed("5"), fixed("0")};
  lengths.adapt = [](draw& each) { each.input = 4; };
  EXPECT_EQ(b.made(std::move(lengths)).at(0).text.tokens, 4U);
}

}  // namespace
}  // namespace synthetic
