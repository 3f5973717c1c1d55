#include "structured/script_flags.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace inferbench::structured {
namespace {

std::string meant(std::string_view written) {
  const script_flag* found = find_script_flag(written);
  return found == nullptr ? "none" : found->name;
}

TEST(script_flags, the_help_text_is_as_recorded) {
  support::expect_golden(script_help(),
                         INFERBENCH_FIXTURES "/structured/structured-output-help.txt");
}

TEST(script_flags, every_flag_has_its_own_name_and_a_value_unless_it_is_a_toggle) {
  std::set<std::string> names;
  for (const script_flag& each : script_flags()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(each.value_name == nullptr, each.type == script_type::toggle) << each.name;
  }
}

TEST(script_flags, a_name_may_have_underlines_and_may_be_shortened) {
  EXPECT_EQ(meant("--num-prompts"), "num-prompts");
  EXPECT_EQ(meant("--num_prompts"), "num-prompts");
  EXPECT_EQ(meant("--num-p"), "num-prompts");
  EXPECT_EQ(meant("--save-result"), "save-results");
  EXPECT_EQ(meant("--data"), "dataset");
}

TEST(script_flags, an_exact_name_wins_over_longer_names) {
  EXPECT_EQ(meant("--tokenizer"), "tokenizer");
  EXPECT_EQ(meant("--tokenizer-m"), "tokenizer-mode");
}

TEST(script_flags, ambiguous_and_unknown_names_mean_no_flag_of_the_script) {
  for (const char* written : {"--m", "--result", "--h", "--", "-", "model", "--dataset-name",
                              "--journal", "--structured-output-len"})
    EXPECT_EQ(meant(written), "none") << written;
}

}  // namespace
}  // namespace inferbench::structured
