#include "plot/row_filter.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

using testing::ElementsAre;

/// The places of the runs that pass.
std::vector<int> passing_runs(const std::string& values, const std::string& filter) {
  std::string summary;
  for (const std::string_view value : base::split(values, ' '))
    summary += (summary.empty() ? "[{\"v\": " : ", {\"v\": ") + std::string(value) + "}";
  const runs_of runs(summary + "]");
  std::vector<int> out;
  for (const run_row& row : row_filter::parse(filter).passing(runs.rows()))
    out.push_back(static_cast<int>(row.number));
  return out;
}

std::string filter_error(const std::string& text) {
  try {
    static_cast<void>(row_filter::parse(text));
  } catch (const base::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(row_filter, upstreams_vectors) {
  EXPECT_THAT(passing_runs(R"(1 5 10 "inf" "inf")", "v==inf"), ElementsAre(3, 4));
  EXPECT_THAT(passing_runs(R"(1 5 10 "inf" "inf")", "v!='inf'"), ElementsAre(0, 1, 2));
  EXPECT_THAT(passing_runs("1 5 10 50 100", "v<10"), ElementsAre(0, 1));
  const auto two = parse_filters("request_rate>5.0,value<=40");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].column(), "request_rate");
  EXPECT_EQ(two[0].text(), "request_rate>5.0");
  EXPECT_EQ(two[1].column(), "value");
  EXPECT_TRUE(parse_filters("").empty());
}

TEST(row_filter, the_first_operator_of_the_list_that_the_text_contains_counts) {
  EXPECT_EQ(row_filter::parse("a<=5").column(), "a");
  EXPECT_EQ(row_filter::parse("a<==5").column(), "a<");
  EXPECT_EQ(row_filter::parse(" a ==5").column(), " a ");
  EXPECT_EQ(filter_error("a==b==c"),
            "--filter-by: \"a==b==c\" has the operator == twice; write one comparison such as "
            "request_rate<=10");
  EXPECT_EQ(filter_error("a=5"),
            "--filter-by: \"a=5\" has no operator; use ==, !=, <=, >=, < or >");
  EXPECT_EQ(filter_error("a<b"),
            "--filter-by: \"b\" is not a number, which the operator < of \"a<b\" needs");
  EXPECT_EQ(filter_error("a<=<5"),
            "--filter-by: \"<5\" is not a number, which the operator <= of "
            "\"a<=<5\" needs");
}

TEST(row_filter, all_operators_compare_numbers) {
  EXPECT_THAT(passing_runs("1 2 3", "v<=2"), ElementsAre(0, 1));
  EXPECT_THAT(passing_runs("1 2 3", "v>=2"), ElementsAre(1, 2));
  EXPECT_THAT(passing_runs("1 2 3", "v>2"), ElementsAre(2));
  EXPECT_THAT(passing_runs("1 2.0 3", "v==2"), ElementsAre(1));
  EXPECT_THAT(passing_runs("1 2 3", "v!=2e0"), ElementsAre(0, 2));
}

TEST(row_filter, a_missing_value_passes_unequal_only) {
  EXPECT_THAT(passing_runs("null 2", "v!=2"), ElementsAre(0));
  EXPECT_THAT(passing_runs("null 2", "v==2"), ElementsAre(1));
  EXPECT_THAT(passing_runs("null 2", "v>=0"), ElementsAre(1));
  EXPECT_THAT(passing_runs("null 2", "v!=x"), ElementsAre(0, 1));
  EXPECT_THAT(passing_runs("\"nan\" 2", "v==nan"), ElementsAre());
}

TEST(row_filter, texts_compare_as_texts) {
  EXPECT_THAT(passing_runs(R"("a" "b" 1)", "v==\"a\""), ElementsAre(0));
  EXPECT_THAT(passing_runs(R"("a" "b" 1)", "v!='\"a\"'"), ElementsAre(1, 2));
  EXPECT_THAT(passing_runs(R"("5" 5)", "v==5"), ElementsAre(1));
}

TEST(row_filter, booleans_compare_in_any_case_on_columns_of_booleans) {
  EXPECT_THAT(passing_runs("true false null", "v==TRUE"), ElementsAre(0));
  EXPECT_THAT(passing_runs("true false null", "v!=true"), ElementsAre(1, 2));
  EXPECT_THAT(passing_runs("true false", "v==false"), ElementsAre(1));
  EXPECT_THAT(passing_runs("true false", "v==1"), ElementsAre(0));
  EXPECT_THAT(passing_runs(R"("true" "True")", "v==true"), ElementsAre(0));
}

TEST(row_filter, a_text_has_no_order) {
  EXPECT_THROW(passing_runs(R"(1 "b")", "v<5"), base::error);
}

}  // namespace
}  // namespace inferbench::plot
