// The command `perf compare` in a folder of its own: printed lines and files.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "framework/perf/compare_files.hpp"
#include "perf/commands.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_archive.hpp"

namespace inferbench::perf {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The command writes to the current folder.
class comparison_folder {
 public:
  comparison_folder() : before_(fs::current_path()) { fs::current_path(folder.root); }
  comparison_folder(const comparison_folder&) = delete;
  comparison_folder& operator=(const comparison_folder&) = delete;
  ~comparison_folder() { fs::current_path(before_); }

  /// The printed text; then the error, if there is one.
  static std::string printed(const std::vector<std::string>& args) {
    std::FILE* const file = std::tmpfile();
    base::output out(file);
    std::string error;
    try {
      EXPECT_EQ(compare(args, out), 0);
    } catch (const base::error& e) {
      error = std::string("error: ") + e.what() + "\n";
    }
    out.flush();
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text + error;
  }

  support::temporary_folder folder;

 private:
  fs::path before_;
};

/// `row` with a tensor parallel size.
std::string with_size(std::string row, int size) {
  row.back() = ',';
  return row + "\"TP Size\": " + std::to_string(size) + "}";
}

TEST(perf_compare, writes_the_page_of_all_groups_and_a_page_for_each) {
  const comparison_folder here;
  here.folder.write("a/benchmark_results.json", example_a());
  here.folder.write("b/benchmark_results.json", example_b());
  const std::string text = comparison_folder::printed(
      {"-f", "a/benchmark_results.json", "-f", "b/benchmark_results.json"});
  EXPECT_THAT(text, StartsWith("Saved: perf_comparison.html\n"
                               "Saved: perf_comparison_org-model_random_128_128.html\n"
                               "Saved: perf_comparison.xlsx\n"
                               "Note: Each value is from one run; "));
  const std::string page = base::read_file("perf_comparison.html");
  EXPECT_EQ(page, base::read_file("perf_comparison_org-model_random_128_128.html"));
  EXPECT_THAT(page, HasSubstr("<th>a</th><th>b</th><th class=\"ratio\">Ratio 1 vs 2</th>"));
  EXPECT_THAT(page, HasSubstr("id=\"plot1-clip1\""));
  EXPECT_THAT(page, HasSubstr("id=\"plot3-clip1\""));
  EXPECT_FALSE(fs::exists("splits"));
}

TEST(perf_compare, splits_a_single_file_and_compares_the_pieces) {
  const comparison_folder here;
  here.folder.write("all.json", R"({"results": [)" +
                                    with_size(serving_row("12", "5", "1", "1"), 2) + "," +
                                    with_size(serving_row("12", "4", "1", "1"), 1) + "]}");
  EXPECT_THAT(comparison_folder::printed({"--file", "all.json", "--no-plot"}),
              StartsWith("Saved: splits/tp1_pp1/benchmark_results.json\n"
                         "Saved: splits/tp2_pp1/benchmark_results.json\n"
                         "Saved: perf_comparison.html\n"));
  const std::string page = base::read_file("perf_comparison.html");
  EXPECT_THAT(page, HasSubstr("<th>splits/tp1_pp1</th><th>splits/tp2_pp1</th>"));
  EXPECT_THAT(page, HasSubstr("<td>4.00</td><td>5.00</td><td class=\"ratio\">1.25</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
}

TEST(perf_compare, says_that_one_configuration_has_no_ratios) {
  const comparison_folder here;
  here.folder.write("all.json", "[" + serving_row("12", "5", "1", "1") + "]");
  EXPECT_THAT(comparison_folder::printed({"-f", "all.json"}),
              HasSubstr("Note: there is one configuration only, so the tables have no ratios\n"));
}

TEST(perf_compare, writes_the_excel_file_with_the_environment_beside_the_first_file) {
  const comparison_folder here;
  here.folder.write("a/r.json", example_a());
  here.folder.write("b/r.json", example_b());
  here.folder.write("b/vllm_env.txt", "PyTorch version: 2\n");
  const std::vector<std::string> b_first{"-f",        "b/r.json",    "-f",         "a/r.json",
                                         "--no-plot", "--excel-out", "deep/x.xlsx"};
  EXPECT_THAT(comparison_folder::printed(b_first), HasSubstr("Saved: deep/x.xlsx\n"));
  EXPECT_THAT(support::unzipped(base::read_file("deep/x.xlsx")).at("xl/workbook.xml"),
              HasSubstr("name=\"Environment\""));
  EXPECT_FALSE(fs::exists("perf_comparison.xlsx"));
  static_cast<void>(comparison_folder::printed({"-f", "a/r.json", "-f", "b/r.json", "--no-plot"}));
  EXPECT_THAT(support::unzipped(base::read_file("perf_comparison.xlsx")).at("xl/workbook.xml"),
              Not(HasSubstr("Environment")));
}

TEST(perf_compare, writes_all_other_files_if_the_excel_file_cannot_be_written) {
  const comparison_folder here;
  here.folder.write("a/r.json", example_a());
  fs::create_directories("taken.xlsx/below");
  EXPECT_THAT(
      comparison_folder::printed({"-f", "a/r.json", "-f", "a/r.json", "--no-plot", "--csv-out-dir",
                                  "csv", "--excel-out", "taken.xlsx"}),
      ::testing::AllOf(HasSubstr("Summary.csv\nNote: Each value is from one run; "),
                       ::testing::EndsWith(
                           "\nerror: cannot write taken.xlsx: there is a folder of this name\n")));
  EXPECT_TRUE(fs::exists("perf_comparison.html"));
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator("."))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left,
              ::testing::UnorderedElementsAre("a", "csv", "taken.xlsx", "perf_comparison.html",
                                              "perf_comparison_org-model_random_128_128.html"));
}

TEST(perf_compare, writes_csv_to_a_folder_that_it_creates) {
  const comparison_folder here;
  here.folder.write("a/r.json", example_a());
  here.folder.write("b/r.json", example_b());
  const std::string text = comparison_folder::printed(
      {"-f", "a/r.json", "-f", "b/r.json", "--no-plot", "--csv-out-dir", "deep/csv"});
  EXPECT_THAT(text, HasSubstr("Saved: deep/csv/model_128x128__P99_TTFT__ms_.csv\n"));
  EXPECT_THAT(base::read_file("deep/csv/model_128x128__P99.csv"),
              HasSubstr("org/model,random,128,128,16,inf,105.0,52.5,2.0\n"));
  EXPECT_TRUE(fs::exists("deep/csv/model_128x128__Valid_Max_Concurrency_Summary.csv"));
}

TEST(perf_compare, keeps_its_files_in_the_folder_whatever_the_names_are) {
  const comparison_folder here;
  fs::create_directory("inside");
  fs::current_path("inside");
  here.folder.write("r.json", R"([{"Test name": "serving", "Model": "../../evil", "Concurrency": 1,
                                   "P99": 1, "Dataset Name": "/tmp/x", "TP Size": "../.."}])");
  EXPECT_THAT(comparison_folder::printed({"-f", "../r.json", "--no-plot", "--csv-out-dir", "csv"}),
              HasSubstr("Saved: perf_comparison_..-..-evil_-tmp-x.html\n"));
  std::vector<std::string> outside;
  for (const auto& entry : fs::directory_iterator(".."))
    outside.push_back(entry.path().filename().string());
  EXPECT_THAT(outside, ::testing::UnorderedElementsAre("inside", "r.json"));
}

TEST(perf_compare, refuses_files_that_it_cannot_read_and_writes_nothing) {
  const comparison_folder here;
  here.folder.write("empty.json", "[]");
  here.folder.write("cut.json", "[{");
  here.folder.write("good.json", example_a());
  EXPECT_THAT(comparison_folder::printed({"-f", "good.json", "-f", "none.json"}),
              HasSubstr("none.json"));
  EXPECT_THAT(comparison_folder::printed({"-f", "good.json", "-f", "cut.json"}),
              StartsWith("error: cut.json:1:"));
  EXPECT_THAT(comparison_folder::printed({"-f", "good.json", "-f", "empty.json"}),
              StartsWith("error: empty.json: the file has no rows"));
  EXPECT_THAT(comparison_folder::printed({"-f", "empty.json"}),
              StartsWith("error: empty.json: the file has no rows of serving tests"));
  EXPECT_THAT(comparison_folder::printed({"-f", "."}), StartsWith("error: "));
  EXPECT_FALSE(fs::exists("perf_comparison.html"));
}

TEST(perf_compare, prints_its_help_and_does_nothing_else) {
  const comparison_folder here;
  EXPECT_THAT(comparison_folder::printed({"-f", "none.json", "-h"}),
              StartsWith("usage: inferbench perf compare -f FILE"));
  EXPECT_TRUE(fs::is_empty("."));
}

}  // namespace
}  // namespace inferbench::perf
