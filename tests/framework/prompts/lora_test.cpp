#include "prompts/lora.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/instance.hpp"

namespace inferbench::prompts {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> models(const lora_modules& of, std::uint64_t count) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    dataset::sample one;
    one.clear();
    one.sequence = i;
    of.assign(one);
    out.emplace_back(plugin::view(one.c.model));
  }
  return out;
}

TEST(lora_modules, take_turns) {
  EXPECT_THAT(models({{"a", "b", "c"}, true, 0}, 5), ElementsAre("a", "b", "c", "a", "b"));
}

TEST(lora_modules, that_are_drawn_are_all_about_as_frequent_and_the_same_for_a_seed) {
  const auto drawn = models({{"a", "b", "c"}, false, 7}, 3000);
  std::map<std::string, int> counts;
  for (const std::string& name : drawn)
    ++counts[name];
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [name, count] : counts)
    EXPECT_NEAR(count, 1000, 120) << name;
  EXPECT_EQ(drawn, models({{"a", "b", "c"}, false, 7}, 3000));
  EXPECT_NE(drawn, models({{"a", "b", "c"}, false, 8}, 3000));
}

TEST(lora_modules, are_drawn_as_python_draws_them) {
  // random.seed(0); [random.choice(["a", "b", "c"]) for _ in range(8)]
  EXPECT_THAT(models({{"a", "b", "c"}, false, 0}, 8),
              ElementsAre("b", "b", "a", "b", "c", "b", "b", "b"));
}

TEST(lora_modules, are_in_the_record_beside_the_metadata_of_the_dataset) {
  const lora_modules two({"a", "b"}, true, 0);
  dataset::sample one;
  one.clear();
  two.assign(one);
  ASSERT_EQ(one.c.metadata_count, 1U);
  EXPECT_EQ(plugin::view(one.c.metadata[0].name), "lora");
  EXPECT_EQ(plugin::view(one.c.metadata[0].value), "a");

  const ifb_field own{plugin::str("class"), plugin::str("short")};
  one.clear();
  one.sequence = 1;
  one.c.metadata = &own;
  one.c.metadata_count = 1;
  two.assign(one);
  ASSERT_EQ(one.c.metadata_count, 2U);
  EXPECT_EQ(plugin::view(one.c.metadata[0].name), "class");
  EXPECT_EQ(plugin::view(one.c.metadata[1].value), "b");
}

TEST(lora_modules, change_nothing_if_there_are_none) {
  const lora_modules none;
  dataset::sample one;
  one.clear();
  none.assign(one);
  EXPECT_EQ(one.c.model.size, 0U);
  EXPECT_EQ(one.c.metadata_count, 0U);
}

}  // namespace
}  // namespace inferbench::prompts
