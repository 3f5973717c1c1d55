#include "plot/groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

TEST(groups, are_in_the_order_of_their_first_appearance_and_not_broken_by_other_runs) {
  const runs_of runs(
      R"([{"a": 2, "n": 0}, {"a": 1, "n": 1}, {"a": 2, "n": 2}, {"a": "2", "n": 3}])");
  const auto groups = grouped(runs.rows(), {"a"}, "--fig-by");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].key, (group_key{{"a", "2"}}));
  // The key is a text, so 2 and "2" are the same group, as in upstream.
  EXPECT_EQ(groups[0].rows.size(), 3U);
  EXPECT_EQ(groups[1].rows.size(), 1U);
}

TEST(groups, without_keys_all_runs_are_one_group) {
  const runs_of runs(R"([{"a": 2}, {"a": 1}])");
  const auto groups = grouped(runs.rows(), {}, "--fig-by");
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_TRUE(groups[0].key.empty());
  EXPECT_TRUE(grouped({}, {}, "--fig-by").empty());
}

TEST(groups, a_run_without_a_key_is_an_error_that_names_it) {
  const runs_of runs(R"([{"a": 2, "b": 1}, {"b": 1}])");
  try {
    static_cast<void>(grouped(runs.rows(), {"a"}, "--row-by"));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_EQ(std::string(e.what()), "--row-by: " + runs.folder.path("summary.json") +
                                         ": run 1 has no key \"a\"; did you mean b? Its keys: b");
  }
}

TEST(groups, a_null_is_a_value) {
  const runs_of runs(R"([{"a": null}, {"a": true}])");
  const auto groups = grouped(runs.rows(), {"a"}, "--row-by");
  EXPECT_EQ(groups[0].key, (group_key{{"a", "None"}}));
  EXPECT_EQ(groups[1].key, (group_key{{"a", "True"}}));
}

TEST(groups, keys_have_python_texts) {
  EXPECT_EQ(python_dict({}), "{}");
  EXPECT_EQ(python_dict({{"tp", "2"}, {"model", "it's"}}), "{'tp': '2', 'model': \"it's\"}");
  EXPECT_EQ(text_of_key({{"tp", "2"}, {"dp", "1"}}, "\n"), "tp=2\ndp=1");
}

}  // namespace
}  // namespace inferbench::plot
