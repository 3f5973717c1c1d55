#include "datasets/random-mm/ordered_prompts.hpp"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/synthetic/tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace random_mm {
namespace {

struct ordered_bench {
  ordered_bench() {
    // In a text every seventh id vanishes, so that many prompts are padded.
    tokenizer.decoded = [](std::span<const std::uint32_t> ids) {
      std::vector<std::uint32_t> text;
      for (const std::uint32_t id : ids)
        if (id % 7 != 0) text.push_back(id);
      return text;
    };
    tokenizer.offer(given);
    const auto service = synthetic::tokenizer_of(ifb::host(given.table()));
    synthetic::run_recipe recipe;
    recipe.allowed = synthetic::vocabulary_of(service).allowed(1000);
    for (std::uint32_t i = 0; i < 500; ++i)
      recipe.draws.push_back({5 + i % 9, 1, 37 * i % 1000, 0});
    prompts = std::make_unique<ordered_prompts>(
        ifb::host(given.table()), synthetic::prompt_maker(service, 1000), std::move(recipe),
        [](ifb::numpy_pcg64& random) { random.skip_bytes(101); });
  }

  // The text, and the first number that the items of the request draw.
  std::string at(std::uint64_t i) const {
    ordered_prompts::request_prompt made = prompts->at(i);
    return made.text.text + ": " + std::to_string(made.random.next64());
  }
  std::vector<std::string> all() const {
    std::vector<std::string> out;
    for (std::uint64_t i = 0; i < prompts->size(); ++i)
      out.push_back(at(i));
    return out;
  }

  support::number_tokenizer tokenizer;
  support::host given;
  std::unique_ptr<ordered_prompts> prompts;
};

TEST(ordered_prompts, are_the_same_in_whatever_order_they_are_asked_for) {
  const ordered_bench straight;
  const auto expected = straight.all();
  const ordered_bench jumping;
  for (const std::uint64_t i : {4U, 0U, 1U, 9U, 2U, 3U, 2U, 450U, 300U, 400U, 449U, 499U, 0U})
    ASSERT_EQ(jumping.at(i), expected[i]) << i;
  EXPECT_EQ(jumping.all(), expected);
}

TEST(ordered_prompts, are_the_same_on_many_threads) {
  const ordered_bench straight;
  const auto expected = straight.all();
  const ordered_bench shared;
  constexpr std::uint64_t threads = 6;
  std::vector<std::string> found(expected.size());
  std::vector<std::thread> readers;
  for (std::uint64_t t = 0; t < threads; ++t)
    readers.emplace_back([&, t] {
      // In groups of four, like the threads of the host.
      for (std::uint64_t i = 0; i < found.size(); ++i)
        if (i / 4 % threads == t) found[i] = shared.at(i);
    });
  for (std::thread& each : readers)
    each.join();
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace random_mm
