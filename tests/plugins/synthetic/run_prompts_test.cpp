#include "datasets/synthetic/run_prompts.hpp"

#include <atomic>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "datasets/synthetic/tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/temporary_folder.hpp"

namespace synthetic {
namespace {

using ::testing::HasSubstr;

// In a text every seventh id vanishes and every eleventh becomes two, so that many prompts are
// padded and many are truncated.
std::vector<std::uint32_t> lossy(std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> text;
  for (const std::uint32_t id : ids) {
    if (id % 7 == 0) continue;
    if (id % 11 == 0) text.push_back(id + 1);
    text.push_back(id + (id % 11 == 0 ? 2 : 0));
  }
  return text;
}

struct bench {
  explicit bench(bool changes = true) {
    if (changes) tokenizer.decoded = lossy;
    tokenizer.size = 300;
    tokenizer.special = {0, 1};
    tokenizer.offer(given);
  }
  run_prompts made(std::size_t count, unsigned threads, std::optional<cache_place> place = {},
                   std::function<void(ifb::numpy_pcg64&)> after = {}) {
    const auto service = tokenizer_of(host);
    const auto words = vocabulary_of(service);
    run_recipe recipe;
    ifb::numpy_pcg64 random(11);
    recipe.draws =
        draw_all(random, count, length_range::of_inputs(length::parse("12", "x"), 0, 0.5),
                 length_range::of_outputs(length::parse("5", "x"), 0), words.size);
    recipe.allowed = words.allowed(words.size);
    recipe.beginning = {5, 6, 8};
    recipe.longest_prefix = 3;
    for (std::size_t i = 0; i < count; ++i)
      recipe.draws[i].prefix = static_cast<std::uint32_t>(i % 4);
    recipe.random = random;
    recipe.after = std::move(after);
    return {host, prompt_maker(service, words.size), std::move(recipe), std::move(place), threads};
  }
  static std::vector<std::string> texts(run_prompts& from) {
    std::vector<std::string> out;
    for (std::uint64_t i = 0; i < from.size(); ++i)
      out.push_back(from.at(i).text);
    return out;
  }
  support::number_tokenizer tokenizer;
  support::host given;
  ifb::host host{given.table()};
};

TEST(run_prompts, of_many_threads_are_the_same_as_of_one_thread) {
  for (const bool changes : {false, true}) {
    bench b(changes);
    auto serial = b.made(700, 0);
    const auto expected = bench::texts(serial);
    for (const unsigned threads : {1U, 2U, 8U}) {
      auto parallel = b.made(700, threads);
      EXPECT_EQ(bench::texts(parallel), expected);
    }
  }
}

TEST(run_prompts, are_the_same_in_whatever_order_they_are_asked_for) {
  bench b;
  auto straight = b.made(300, 0);
  const auto expected = bench::texts(straight);
  auto jumping = b.made(300, 4);
  for (const std::uint64_t i : {0U, 0U, 1U, 2U, 90U, 91U, 3U, 4U, 5U, 299U, 0U, 1U, 2U, 250U, 251U})
    ASSERT_EQ(jumping.at(i).text, expected[i]) << i;
  EXPECT_EQ(bench::texts(jumping), expected);
  EXPECT_EQ(bench::texts(jumping), expected);
}

TEST(run_prompts, have_as_much_of_the_common_beginning_as_is_drawn_for_each) {
  bench b(false);
  auto made = b.made(8, 0);
  const std::string begins[] = {"", "5 ", "5 6 ", "5 6 8 "};
  for (std::uint64_t i = 0; i < 8; ++i)
    EXPECT_THAT(made.at(i).text, ::testing::StartsWith(begins[i % 4]));
}

// One generator draws the padding of a prompt, the numbers that follow it, the padding of the next
// prompt, and so on.
TEST(run_prompts, numbers_that_follow_a_prompt_are_the_same_whenever_it_is_asked_for) {
  bench b;
  std::int64_t latest = 0;
  const auto draw = [&](ifb::numpy_pcg64& random) {
    latest = random.integer(0, 1'000'000);
    random.skip_bytes(static_cast<std::uint64_t>(latest));
  };
  auto straight = b.made(300, 0, {}, draw);
  std::vector<std::string> expected;
  std::vector<std::int64_t> numbers;
  for (std::uint64_t i = 0; i < straight.size(); ++i) {
    expected.push_back(straight.at(i).text);
    numbers.push_back(latest);
  }
  auto plain = b.made(300, 0);
  EXPECT_NE(bench::texts(plain), expected) << "the padding of later prompts is different";
  auto jumping = b.made(300, 4, {}, draw);
  for (const std::uint64_t i : {0U, 0U, 1U, 2U, 90U, 91U, 3U, 4U, 299U, 0U, 250U, 251U}) {
    ASSERT_EQ(jumping.at(i).text, expected[i]) << i;
    ASSERT_EQ(latest, numbers[i]) << i;
  }
}

TEST(run_prompts, are_reported_once_if_they_have_another_length) {
  bench b;
  b.tokenizer.decoded = nullptr;
  b.tokenizer.tail = {9};  // every text gets one more token
  auto made = b.made(100, 3);
  (void)bench::texts(made);
  (void)bench::texts(made);
  ASSERT_EQ(b.given.log().size(), 1U);
  EXPECT_THAT(b.given.log().front(), HasSubstr("100 of 100 prompts are not of the length"));
}

TEST(run_prompts, are_taken_from_the_cache_the_second_time) {
  const inferbench::support::temporary_folder folder;
  const cache_place place{folder.root / "x.prompts", "key     "};
  bench b;
  auto made = b.made(120, 2, place);
  const auto expected = bench::texts(made);
  ASSERT_TRUE(std::filesystem::exists(place.file));

  bench other;
  std::atomic<int> asked{0};
  other.tokenizer.decoded = [&](std::span<const std::uint32_t> ids) {
    ++asked;
    return std::vector<std::uint32_t>(ids.begin(), ids.end());
  };
  auto kept = other.made(120, 2, place);
  EXPECT_EQ(bench::texts(kept), expected);
  EXPECT_EQ(asked, 0);
  EXPECT_THAT(other.given.log().front(), HasSubstr("prompts of an earlier run are used again"));
}

TEST(run_prompts, are_made_again_if_the_cache_is_damaged_and_replace_it) {
  const inferbench::support::temporary_folder folder;
  const cache_place place{folder.write("x.prompts", "no prompts at all"), "key     "};
  bench b;
  auto plain = b.made(120, 0);
  const auto expected = bench::texts(plain);
  auto made = b.made(120, 2, place);
  EXPECT_EQ(bench::texts(made), expected);
  auto kept = b.made(120, 2, place);
  EXPECT_EQ(bench::texts(kept), expected);
  EXPECT_THAT(b.given.log(), ::testing::Contains(HasSubstr("is damaged and not used")));
  EXPECT_THAT(b.given.log(), ::testing::Contains(HasSubstr("are used again")));
}

TEST(run_prompts, a_tokenizer_that_fails_fails_the_prompt_it_was_asked_for) {
  bench b;
  std::atomic<bool> works{false};
  b.tokenizer.troubled = [&]() -> ifb_status { return works ? IFB_OK : IFB_E_INTERNAL; };
  auto straight = b.made(100, 0);
  auto made = b.made(100, 4);
  EXPECT_THROW((void)made.at(0), ifb::failure);
  EXPECT_THROW((void)made.at(3), ifb::failure);
  works = true;
  EXPECT_EQ(bench::texts(made), bench::texts(straight));
}

}  // namespace
}  // namespace synthetic
