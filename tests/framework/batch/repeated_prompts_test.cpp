#include "batch/repeated_prompts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"

namespace inferbench::batch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> ids_in(std::span<const ifb_batch_item> items) {
  std::vector<std::string> out;
  for (const ifb_batch_item& each : items)
    out.emplace_back(plugin::view(each.sample->id));
  return out;
}

TEST(repeated_prompts, are_in_the_wanted_order_with_an_id_for_each_request) {
  prompt_samples prompts;
  prompts.text("one", 1, 1).with_id("a").text("two", 1, 1).with_id("b");
  const std::vector<std::size_t> order{1, 0, 1, 1};
  const repeated_prompts found(prompts.all(), order);
  EXPECT_THAT(ids_in(found.items()), ElementsAre("b", "a", "b-2", "b-3"));
  EXPECT_EQ(found.items()[3].sample->prompt.first, prompts.all()[1]->c.prompt.first);
  EXPECT_EQ(found.items()[3].adapter, nullptr);
}

TEST(repeated_prompts, without_an_id_stay_without_an_id) {
  prompt_samples prompts;
  prompts.text("one", 1, 1);
  const std::vector<std::size_t> order{0, 0};
  EXPECT_THAT(ids_in(repeated_prompts(prompts.all(), order).items()), ElementsAre("", ""));
}

TEST(repeated_prompts, may_be_none) {
  const prompt_samples prompts;
  EXPECT_THAT(repeated_prompts(prompts.all(), {}).items(), IsEmpty());
  EXPECT_THAT(items_of(prompts.all()), IsEmpty());
}

TEST(items, are_the_samples_themselves) {
  prompt_samples prompts;
  prompts.text("one", 1, 1).text("two", 1, 1);
  const auto found = items_of(prompts.all());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].sample, &prompts.all()[1]->c);
}

}  // namespace
}  // namespace inferbench::batch
