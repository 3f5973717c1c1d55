#include "reporters/common/differences.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reporters {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<std::string> named(const std::vector<setting_difference>& all) {
  std::vector<std::string> out;
  for (const setting_difference& each : all)
    out.push_back(each.name);
  return out;
}

TEST(differences, settings_are_the_values_of_all_tables) {
  const run_settings found = settings_of(
      R"({"load": {"max-concurrency": 8, "deep": {"er": [1, 2]}, "unset": null},
          "backend": {"use": "openai"}, "resolved": {"model_id": "m", "tokenizer_id": null}})",
      "{}");
  EXPECT_THAT(found, ElementsAre(Pair("backend.use", R"("openai")"), Pair("load.deep.er", "[1, 2]"),
                                 Pair("load.max-concurrency", "8"), Pair("model", R"("m")")));
}

TEST(differences, where_a_result_goes_is_no_setting) {
  const run_settings found = settings_of(
      R"({"run": {"seed": 1, "result-dir": "a", "label": "b", "journal": "c", "save-result": true},
          "reporter": [{"use": "json"}], "dataset": {"request-id-prefix": "r-"}, "plugin": {"dir": ["x"]}})",
      R"({"plugins": [{"kind": "reporter", "id": "json", "version": "1"}]})");
  EXPECT_THAT(found, ElementsAre(Key("run.seed")));
}

TEST(differences, versions_of_the_program_and_of_plugins_count) {
  const run_settings found =
      settings_of("{}", R"({"inferbench": {"version": "0.2"}, "machine": {"cores": 2},
                "plugins": [{"kind": "backend", "id": "openai", "version": "1", "sha256": "ab"},
                            7, {}]})");
  EXPECT_THAT(found, UnorderedElementsAre(Pair("inferbench.version", R"("0.2")"),
                                          Pair("machine.cores", "2"),
                                          Pair("plugin backend openai version", R"("1")"),
                                          Pair("plugin backend openai sha256", R"("ab")")));
}

TEST(differences, are_the_settings_that_are_not_the_same_in_all_runs) {
  const std::vector<run_settings> runs{{{"a", "1"}, {"b", "1"}, {"c", "1"}},
                                       {{"a", "1"}, {"b", "2"}},
                                       {{"a", "1"}, {"b", "1"}, {"d", "1"}}};
  const auto found = differences_of(runs);
  EXPECT_THAT(named(found), ElementsAre("b", "c", "d"));
  EXPECT_THAT(found[0].values, ElementsAre("1", "2", "1"));
  EXPECT_THAT(found[1].values, ElementsAre("1", "", ""));
  EXPECT_THAT(found[2].values, ElementsAre("", "", "1"));
}

TEST(differences, of_one_run_and_of_equal_runs_there_are_none) {
  const run_settings one{{"a", "1"}};
  EXPECT_THAT(differences_of({}), IsEmpty());
  EXPECT_THAT(differences_of(std::vector{one}), IsEmpty());
  EXPECT_THAT(differences_of(std::vector{one, one}), IsEmpty());
}

TEST(differences, texts_that_are_not_json_have_no_settings) {
  for (const char* text : {"", "[]", "7", "{\"a\":"})
    EXPECT_THAT(settings_of(text, text), IsEmpty()) << text;
}

}  // namespace
}  // namespace reporters
