#include "perf/compare_table.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/perf/compare_files.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> titles_of_columns(bool names) {
  const auto files = files_with({example_a(), example_b(), example_b()});
  std::vector<std::string> out;
  for (const compared_column& column :
       columns_of(frame_of(metric_role::tpot, false, files), names)) {
    EXPECT_EQ(column.cells.size(), 3U) << column.title;
    if (column.kind != compared_kind::group) out.push_back(column.title);
  }
  return out;
}

TEST(a_table, has_a_ratio_to_the_first_file_after_each_further_file) {
  EXPECT_THAT(titles_of_columns(false), ElementsAre("# of max concurrency.", "qps", "a", "b",
                                                    "Ratio 1 vs 2", "c", "Ratio 1 vs 3"));
}

TEST(a_table, has_the_names_of_the_tests_only_on_request) {
  EXPECT_THAT(titles_of_columns(true),
              ElementsAre("# of max concurrency.", "qps", "a_name", "a", "b_name", "b",
                          "Ratio 1 vs 2", "c_name", "c", "Ratio 1 vs 3"));
}

}  // namespace
}  // namespace inferbench::perf
