#include "plot/run_table.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::plot {
namespace {

std::string read_error(const support::temporary_folder& folder) {
  try {
    static_cast<void>(run_table::read(folder.path()));
  } catch (const base::error& e) {
    std::string out = e.what();
    for (auto at = out.find(folder.path()); at != std::string::npos; at = out.find(folder.path()))
      out.replace(at, folder.path().size(), "DIR");
    return out;
  }
  return "no error";
}

std::string error_of_summary(std::string_view text) {
  const support::temporary_folder folder;
  folder.write("a/summary.json", text);
  return read_error(folder);
}

TEST(run_table, every_summary_below_the_folder_is_read_in_natural_order) {
  const support::temporary_folder folder;
  for (const char* name : {"BENCH--rate=10", "BENCH--rate=2", "BENCH--rate=2/deeper", "BENCH--"})
    folder.write(std::string(name) + "/summary.json", R"([{"a": 1}, {"a": 2}])");
  folder.write("summary.json", "[]");
  folder.write("BENCH--rate=2/run=0.json", "not JSON");
  folder.write("BENCH--rate=3/other.json", "[5]");
  const run_table table = run_table::read(folder.path());
  EXPECT_EQ(table.files(), 5U);
  ASSERT_EQ(table.rows().size(), 8U);
  std::vector<std::string> files;
  for (const run_row& row : table.rows())
    if (row.number == 0) files.push_back(row.file->substr(folder.path().size() + 1));
  EXPECT_THAT(files,
              testing::ElementsAre("BENCH--/summary.json", "BENCH--rate=2/deeper/summary.json",
                                   "BENCH--rate=2/summary.json", "BENCH--rate=10/summary.json"));
  EXPECT_EQ(table.rows()[1].number, 1U);
  EXPECT_EQ(table.rows()[1].siblings, 2U);
}

TEST(run_table, folders_that_begin_with_a_dot_are_skipped_but_not_the_folder_itself) {
  const support::temporary_folder folder;
  folder.write(".exp/a/summary.json", "[{}]");
  folder.write(".exp/.part/a/summary.json", "[{\"cut");
  folder.write(".exp/a/.old/summary.json", "5");
  EXPECT_EQ(run_table::read(folder.path(".exp")).rows().size(), 1U);
}

TEST(run_table, a_link_to_a_folder_is_not_followed) {
  const support::temporary_folder folder;
  folder.write("a/summary.json", "[{}]");
  std::filesystem::create_directory_symlink(folder.path(), folder.path("a/loop"));
  EXPECT_EQ(run_table::read(folder.path()).rows().size(), 1U);
}

TEST(run_table, infinities_that_are_texts_become_numbers) {
  const support::temporary_folder folder;
  folder.write("summary.json",
               R"([{"a": "inf", "b": "-inf", "c": "nan", "d": "Inf", "e": NaN, "f": -Infinity}])");
  const run_table table = run_table::read(folder.path());
  const base::json_value& run = *table.rows()[0].object;
  EXPECT_EQ(run["a"].GetDouble(), INFINITY);
  EXPECT_EQ(run["b"].GetDouble(), -INFINITY);
  EXPECT_TRUE(std::isnan(run["c"].GetDouble()));
  EXPECT_TRUE(run["d"].IsString());
  EXPECT_TRUE(std::isnan(run["e"].GetDouble()));
  EXPECT_EQ(run["f"].GetDouble(), -INFINITY);
}

TEST(run_table, a_file_that_is_cut_is_named_with_its_line) {
  EXPECT_EQ(error_of_summary("[{\"a\": 1},\n {\"a\":"),
            "DIR/a/summary.json:2:7: the file is cut: malformed JSON: Invalid value; remove the "
            "file and run the sweep again with --resume, which writes it anew");
  EXPECT_THAT(error_of_summary(""), testing::HasSubstr("DIR/a/summary.json:1:1: the file is cut"));
  EXPECT_THAT(error_of_summary(" \n"), testing::HasSubstr("the file is cut"));
}

TEST(run_table, a_file_that_is_not_an_array_of_objects_is_named_with_its_line) {
  EXPECT_THAT(error_of_summary("[{\"a\": 1},\n x]"),
              testing::AllOf(testing::HasSubstr("DIR/a/summary.json:2:2: malformed JSON"),
                             testing::Not(testing::HasSubstr("cut"))));
  EXPECT_EQ(error_of_summary("\n{\"a\": 1}"),
            "DIR/a/summary.json:2: expected an array of run objects, not an object");
  EXPECT_EQ(error_of_summary("[{\"a\": [1,\n\"]}\\\"\"]},\n\n 5]"),
            "DIR/a/summary.json:4: run 1 of the array is a number and not an object");
  EXPECT_EQ(error_of_summary("[null]"),
            "DIR/a/summary.json:1: run 0 of the array is null and not an object");
}

TEST(run_table, hostile_nesting_is_an_error) {
  EXPECT_THAT(
      error_of_summary("[{\"a\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}]"),
      testing::HasSubstr("DIR/a/summary.json"));
}

TEST(run_table, a_folder_without_results_is_an_error) {
  const support::temporary_folder folder;
  EXPECT_EQ(read_error(folder),
            "there is no summary.json below DIR; name the folder of an experiment, which "
            "`inferbench sweep serve` wrote");
  folder.write("file", "");
  EXPECT_THROW(static_cast<void>(run_table::read(folder.path("file"))), base::error);
  EXPECT_THROW(static_cast<void>(run_table::read(folder.path("missing"))), base::error);
}

}  // namespace
}  // namespace inferbench::plot
