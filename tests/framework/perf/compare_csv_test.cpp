#include "perf/compare_csv.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/perf/compare_files.hpp"
#include "support/golden.hpp"

namespace inferbench::perf {
namespace {

std::vector<csv_table> csv_tables_of(const std::vector<std::string>& texts, bool names = false) {
  compare_request request;
  request.x_axis = concurrency_title;
  request.debug = names;
  return csv_tables(compared(files_with(texts), request));
}

TEST(the_csv_files, have_the_tables_of_the_contracts_example) {
  std::string found;
  for (const csv_table& table : csv_tables_of({example_a(), example_b()}))
    found += "# " + table.file + "\n" + table.text;
  support::expect_golden(found, INFERBENCH_FIXTURES "/perf/compare_tables.csv.txt");
}

TEST(the_csv_files, have_no_file_for_a_metric_that_a_group_does_not_have) {
  const auto tables = csv_tables_of({R"([{"Concurrency": 1, "P99": null}])"});
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].file, "nan_nanxnan__Output_Tput__tok_s_.csv");
  EXPECT_EQ(tables[0].text, "# of max concurrency.,a\n1,\n");
}

TEST(the_csv_files, quote_fields_and_stay_in_their_folder) {
  const auto tables = csv_tables_of(
      {R"([{"Model": "../x, \"y\"", "Test name": "l1\nl2", "Concurrency": 1, "P99": 0.1}])"}, true);
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_EQ(tables[2].file, "x___y__nanxnan__P99.csv");
  EXPECT_EQ(tables[2].text,
            "Model,# of max concurrency.,a_name,a\n\"../x, \"\"y\"\"\",1,\"l1\nl2\",0.1\n");
}

}  // namespace
}  // namespace inferbench::perf
