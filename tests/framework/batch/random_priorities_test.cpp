#include "batch/random_priorities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"

namespace inferbench::batch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> overrides_in(const random_priorities& from) {
  std::vector<std::string> out;
  for (const ifb_sample& each : from.all())
    out.emplace_back(plugin::view(each.overrides));
  return out;
}

// python3 -c 'import random; random.seed(0); print([int(random.random() >= 0.5) for _ in
// "123456"])'
TEST(random_priorities, are_drawn_like_numbers_of_python) {
  prompt_samples prompts;
  for (int i = 0; i < 6; ++i)
    prompts.text("hi", 2, 1);
  const random_priorities found(prompts.all(), 0);
  EXPECT_THAT(overrides_in(found),
              ElementsAre(R"({"priority": 1})", R"({"priority": 1})", R"({"priority": 0})",
                          R"({"priority": 0})", R"({"priority": 1})", R"({"priority": 0})"));
}

TEST(random_priorities, are_laid_over_other_overrides_of_a_sample) {
  prompt_samples prompts;
  prompts.text("hi", 2, 1).with_overrides(R"({"top_k": 3, "priority": 9})");
  EXPECT_THAT(overrides_in(random_priorities(prompts.all(), 0)),
              ElementsAre(R"({"top_k": 3, "priority": 1})"));
}

TEST(random_priorities, leave_the_rest_of_a_sample_and_the_sample_itself_alone) {
  prompt_samples prompts;
  prompts.text("hi", 2, 1).with_id("a");
  const random_priorities found(prompts.all(), 1);
  EXPECT_EQ(plugin::view(found.all()[0].id), "a");
  EXPECT_EQ(found.all()[0].input_tokens, 2);
  EXPECT_EQ(found.all()[0].prompt.first, prompts.all()[0]->c.prompt.first);
  EXPECT_EQ(prompts.all()[0]->c.overrides.size, 0U);
}

TEST(random_priorities, need_overrides_that_are_a_json_object) {
  for (const char* json : {"[1]", "{\"top_k\": ", "3"}) {
    prompt_samples prompts;
    prompts.text("hi", 2, 1).with_overrides(json);
    EXPECT_THAT(offline::refusal_of([&] {
                  const random_priorities any(prompts.all(), 0);
                  return any.all().size();
                }),
                HasSubstr("the overrides of a sample"));
  }
}

}  // namespace
}  // namespace inferbench::batch
