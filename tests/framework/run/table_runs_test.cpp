#include "run/table_runs.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::string> labels(const std::vector<std::filesystem::path>& journals,
                                std::vector<std::string> own = {}) {
  std::vector<ifb::run_description> descriptions(journals.size());
  for (std::size_t i = 0; i < own.size(); ++i)
    descriptions[i].label = own[i];
  return labels_of(journals, descriptions);
}

TEST(table_runs, are_named_by_their_labels_or_their_files) {
  EXPECT_THAT(labels({"runs/a.journal", "b.journal"}), ElementsAre("a", "b"));
  EXPECT_THAT(labels({"a.journal", "b.journal"}, {"old", ""}), ElementsAre("old", "b"));
  EXPECT_THAT(labels({}), IsEmpty());
}

TEST(table_runs, of_one_name_are_told_apart_by_their_folders) {
  EXPECT_THAT(labels({"/x/old/run.journal", "/x/new/run.journal", "c.journal"}),
              ElementsAre("old/run", "new/run", "c"));
  EXPECT_THAT(labels({"a/1/run.journal", "b/1/run.journal", "run.journal"}),
              ElementsAre("a/1/run", "b/1/run", "run"));
  EXPECT_THAT(labels({"a.journal", "b.journal"}, {"night", "night"}), ElementsAre("a", "b"));
}

TEST(table_runs, that_are_named_twice_are_numbered) {
  EXPECT_THAT(labels({"a.journal", "a.journal", "./a.journal"}),
              ElementsAre("a", "a (2)", "a (3)"));
  EXPECT_THAT(labels({"a.journal", "a.journal", "b.journal"}, {"", "", "a (2)"}),
              ElementsAre("a", "a (2)", "a (2) (2)"));
  EXPECT_THAT(labels({"x/run.journal", "y/run.journal", "x/run.journal"}),
              ElementsAre("x/run", "y/run", "x/run (2)"));
}

TEST(table_runs, have_labels_of_one_line) {
  EXPECT_THAT(labels({"a.journal"}, {"two\nlines"}),
              ElementsAre(::testing::Not(::testing::HasSubstr("\n"))));
}

ifb::run_description loaded(std::optional<std::int64_t> concurrency, double rate) {
  ifb::run_description out;
  out.max_concurrency = concurrency;
  out.request_rate = rate;
  return out;
}

constexpr double unlimited_rate = std::numeric_limits<double>::infinity();

TEST(table_runs, are_arranged_by_the_load_that_differs) {
  const std::vector<ifb::run_description> runs{
      loaded(8, unlimited_rate), loaded(16, unlimited_rate), loaded(std::nullopt, unlimited_rate)};
  const auto axes = axes_of(runs);
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_STREQ(axes[0].name, "max_concurrency");
  EXPECT_THAT(axis_values(axes, runs[1]), ElementsAre(Pair("max_concurrency", "16")));
  EXPECT_THAT(axis_values(axes, runs[2]), IsEmpty());
  EXPECT_THAT(axes_of(std::vector{loaded(8, 2), loaded(8, 2.5)}),
              ElementsAre(::testing::Field(&table_axis::name, ::testing::StrEq("request_rate"))));
}

TEST(table_runs, of_one_load_have_no_axis) {
  EXPECT_THAT(axes_of(std::vector{loaded(8, unlimited_rate), loaded(8, 3)}), IsEmpty());
  ifb::run_description ramped = loaded(8, 5);
  ramped.ramp_up = ifb::ramp_up{"linear", 1, 5};
  EXPECT_THAT(axes_of(std::vector{loaded(8, 3), ramped}), IsEmpty());
  EXPECT_THAT(axes_of({}), IsEmpty());
}

TEST(table_runs, give_their_table_a_name) {
  EXPECT_EQ(table_name("run-1", 3), "run-1-and-2-more");
  EXPECT_EQ(table_name("run-1", 1), "run-1");
}

}  // namespace
}  // namespace inferbench::run
