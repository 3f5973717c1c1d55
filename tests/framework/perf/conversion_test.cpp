// The converter with the results in tests/fixtures/perf/results, whose page and rows were checked
// by hand.
#include "perf/conversion.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "perf/page.hpp"
#include "result_box.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string converted_fixtures = INFERBENCH_FIXTURES "/perf/";
const machine_facts some_machine{4, 8, 1253656678, 1, "Some CPU"};

std::string rows_in(const result_box& box) {
  return converted(box.tables(), some_machine, "", "").rows;
}

TEST(a_conversion, makes_the_page_and_the_rows) {
  const result_tables tables = read_results(converted_fixtures + "results");
  const converted_texts texts =
      converted(tables, some_machine, std::string(usual_descriptions()), "");
  support::expect_golden(texts.page, converted_fixtures + "page.md");
  support::expect_golden(texts.rows + "\n", converted_fixtures + "rows.json");
  EXPECT_EQ(texts.rows.find('\n'), std::string::npos);
}

TEST(a_whole_number_of_seconds, stays_whole_in_milliseconds) {
  const result_box box;
  box.add("latency_a", latency_result);
  EXPECT_EQ(rows_in(box),
            R"j([{"Test name": "latency_a", "GPU": "1xA", "Mean latency (ms)": 1000, )j"
            R"j("Median latency (ms)": 2000, "P99 latency (ms)": 3500.0}])j");
}

TEST(a_recorded_key, replaces_the_key_of_the_result) {
  const result_box box;
  box.add("latency_a", R"({"gpu_type": "from result", )" + std::string(latency_result).substr(1));
  EXPECT_THAT(rows_in(box), AllOf(HasSubstr("1xA"), Not(HasSubstr("from result"))));
}

TEST(a_folder_without_results, has_an_empty_list) {
  const result_box box;
  fs::create_directory(box.folder.path("r"));
  EXPECT_EQ(rows_in(box), "[]");
  fs::create_directory(box.folder.path("r/serving_folder.json"));
  EXPECT_EQ(rows_in(box), "[]");
}

TEST(descriptions, that_are_named_and_missing_are_a_line_of_the_page) {
  const support::temporary_folder folder;
  EXPECT_EQ(read_descriptions(folder.path("no.md")), folder.path("no.md") + " not found.\n");
  EXPECT_EQ(read_descriptions(folder.write("d.md", "# A")), "# A\n");
}

TEST(a_converted_folder, has_both_files_and_can_be_converted_again) {
  const result_box box;
  box.add("latency_a", latency_result);
  for (int i = 0; i < 2; ++i) {
    const std::string descriptions = box.folder.write("d.md", "{latency_tests_markdown_table}");
    const result_tables tables = convert_folder(box.folder.path("r"), descriptions);
    EXPECT_EQ(tables.latency.size(), 5U);
    EXPECT_THAT(base::read_file(box.folder.path("r/benchmark_results.md")),
                HasSubstr("| latency_a   | 1xA   |"));
    EXPECT_EQ(base::read_file(box.folder.path("r/benchmark_results.json")), rows_in(box));
  }
}

}  // namespace
}  // namespace inferbench::perf
