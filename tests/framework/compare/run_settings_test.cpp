#include "compare/run_settings.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

run_settings of_ours(const std::string& config) { return settings_of(config, "{}", nullptr); }

run_settings of_other(const std::string& config, const std::string& result) {
  ifb::json_document parsed;
  EXPECT_FALSE(ifb::parse_json(result, parsed));
  return settings_of(config, "{}", &parsed);
}

TEST(settings, of_this_program_are_the_values_that_can_matter_for_the_figures) {
  const run_settings found = settings_of(
      R"({"load": {"max-concurrency": 4}, "run": {"seed": 1, "result-dir": "x", "live": "none"},
          "dataset": {"salt": "[ab] ", "request-id-prefix": "bench-1-", "num-prompts": 5},
          "reporter": [{"use": "json"}], "resolved": {"model_id": "m", "backend": "openai"}})",
      R"({"machine": {"cores": 2}, "plugins": [{"kind": "backend", "id": "openai", "version": "1"},
          {"kind": "reporter", "id": "json", "version": "1"}]})",
      nullptr);
  EXPECT_THAT(found.own,
              ElementsAre(Pair("dataset.num-prompts", "5"), Pair("load.max-concurrency", "4"),
                          Pair("machine.cores", "2"), Pair("model_id", "\"m\""),
                          Pair("plugin backend openai version", "\"1\""), Pair("run.seed", "1")));
  EXPECT_THAT(found.common, ElementsAre(Pair("backend", "\"openai\""), Pair("model_id", "\"m\"")));
}

TEST(settings, of_another_program_come_from_its_run_description_and_from_the_top_of_its_result) {
  const run_settings found = of_other(R"({"resolved": {"max_concurrency": 8}})",
                                      R"({"date": "x", "model_id": "m", "version": "0.11"})");
  EXPECT_THAT(found.own, IsEmpty());
  EXPECT_THAT(found.common, ElementsAre(Pair("max_concurrency", "8"), Pair("version", "\"0.11\"")));
}

TEST(settings, that_differ_between_groups_are_listed_with_all_values) {
  const run_settings a = of_ours(R"({"load": {"max-concurrency": 4}, "run": {"seed": 1}})");
  const run_settings b = of_ours(R"({"load": {"max-concurrency": 8}, "run": {"seed": 1}})");
  const run_settings c = of_ours(R"({"load": {"max-concurrency": 16}, "run": {"seed": 1}})");
  const std::vector<settings_of_group> groups{{&a, &a}, {&b, &c}};
  const std::vector<setting_difference> found = differences_of(groups);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "load.max-concurrency");
  EXPECT_THAT(found[0].values, ElementsAre(ElementsAre("4"), ElementsAre("16", "8")));
  EXPECT_THAT(varying_names(groups[0]), IsEmpty());
  EXPECT_THAT(varying_names(groups[1]), ElementsAre("load.max-concurrency"));
}

TEST(settings, do_not_differ_between_groups_with_the_same_runs_in_another_order) {
  const run_settings a = of_ours(R"({"run": {"seed": 1}})");
  const run_settings b = of_ours(R"({"run": {"seed": 2}})");
  const std::vector<settings_of_group> groups{{&a, &b}, {&b, &a}};
  EXPECT_THAT(differences_of(groups), IsEmpty());
}

TEST(settings, of_two_programs_are_compared_only_by_the_common_settings) {
  const run_settings ours = of_ours(
      R"({"load": {"max-concurrency": 4}, "resolved": {"max_concurrency": 4, "backend": "a"}})");
  const run_settings other =
      of_other(R"({"resolved": {"max_concurrency": 4, "backend": "b"}})", "{}");
  const std::vector<settings_of_group> groups{{&ours}, {&other}};
  const std::vector<setting_difference> found = differences_of(groups);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "backend");
}

TEST(settings, are_shown_in_one_short_line) {
  EXPECT_EQ(shown_values({}), "not stated");
  EXPECT_EQ(shown_values({"1", "\"a\nb\""}), "1, \"a b\"");
  EXPECT_EQ(shown_values({std::string(100, 'x')}), std::string(60, 'x') + "...");
}

TEST(settings, of_malformed_texts_are_none) {
  const run_settings found = settings_of("{", "[1]", nullptr);
  EXPECT_THAT(found.own, IsEmpty());
  EXPECT_THAT(found.common, IsEmpty());
}

}  // namespace
}  // namespace inferbench::compare
