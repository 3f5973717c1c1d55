#include "perf/compare_excel.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "framework/perf/compare_files.hpp"
#include "support/error_text.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_archive.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using strings = std::vector<std::string>;

/// The pieces of the text between `begin` and the next `end`.
strings between(std::string_view text, std::string_view begin, std::string_view end) {
  strings out;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    at += begin.size();
    out.emplace_back(text.substr(at, text.find(end, at) - at));
  }
  return out;
}

/// The text with the characters that XML writes as entities.
std::string unescaped(std::string text) {
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = text.find(entity); at != text.npos; at = text.find(entity, at + 1))
      text.replace(at, std::string_view(entity).size(), character);
  return text;
}

/// A workbook as Excel reads it.
class read_workbook {
 public:
  explicit read_workbook(const std::string& file)
      : files_(support::unzipped(base::read_file(file))) {
    for (const std::string& each : between(files_.at("xl/sharedStrings.xml"), "<si><t", "</t>"))
      texts_.push_back(unescaped(each.substr(each.find('>') + 1)));
  }

  [[nodiscard]] strings sheets() const {
    return between(files_.at("xl/workbook.xml"), "<sheet name=\"", "\"");
  }

  /// The cells of a sheet, from 1: lines such as "B3 0.5". Texts have quotes.
  [[nodiscard]] std::string cells(std::size_t sheet) const {
    std::string out;
    for (const std::string& each :
         between(files_.at("xl/worksheets/sheet" + std::to_string(sheet) + ".xml"), "<c r=\"",
                 "</c>")) {
      const std::string value = between(each, "<v>", "</v>").at(0);
      const bool is_text = each.find(" t=\"s\"") != each.npos;
      out += each.substr(0, each.find('"')) + " " +
             (is_text ? "\"" + texts_.at(std::stoul(value)) + "\"" : value) + "\n";
    }
    return out;
  }

 private:
  std::map<std::string, std::string> files_;
  strings texts_;
};

comparison_report report_of(const strings& texts, bool names = false) {
  compare_request request;
  request.x_axis = concurrency_title;
  request.debug = names;
  return compared(files_with(texts), request);
}

read_workbook workbook_of(const strings& texts, const std::optional<std::string>& environment = {},
                          bool names = false) {
  const support::temporary_folder folder;
  write_comparison_workbook(report_of(texts, names), environment, folder.path("x.xlsx"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.root), {}), 1)
      << "a temporary file is left";
  return read_workbook(folder.path("x.xlsx"));
}

TEST(the_excel_file, has_the_tables_of_the_contracts_example) {
  const read_workbook book = workbook_of({example_a(), example_b()}, "PyTorch version: 2.9\n\nend");
  ASSERT_THAT(book.sheets(), ElementsAre("model_128x128", "Environment"));
  support::expect_golden(book.cells(1), INFERBENCH_FIXTURES "/perf/compare_workbook.txt");
  EXPECT_EQ(book.cells(2), "A1 \"PyTorch version\"\nB1 \"2.9\"\nA3 \"end\"\n");
}

TEST(the_excel_file, has_a_sheet_for_each_group_and_none_for_a_missing_environment) {
  const std::string other = R"({"Model": "z/other", "Concurrency": 1, "P99": 1})";
  const read_workbook book = workbook_of({"[" + other + "]", "[" + other + R"(,
      {"Model": "y/OTHER", "Concurrency": 1, "P99": 1}])"});
  EXPECT_THAT(book.sheets(), ElementsAre("OTHER_nanxnan", "other_nanxnan_2"));
}

TEST(the_excel_file, says_which_metric_a_group_does_not_have_and_leaves_missing_cells_empty) {
  const std::string cells = workbook_of({R"([{"Concurrency": 1, "P99": null}])"}).cells(1);
  EXPECT_THAT(cells, HasSubstr(" \"P99 TTFT (ms): missing for this group\"\n"));
  EXPECT_THAT(cells, HasSubstr(" \"a\"\nA8 1\nA10 \"P99 TTFT"));
}

TEST(the_excel_file, has_texts_of_every_kind_as_texts) {
  const std::string cells =
      workbook_of({R"([{"Model": "=1+1", "Test name": "<b>\u0001\uFFFF&\n\"", "Concurrency": 1,
                        "qps": "inf", "P99": Infinity}])"},
                  std::string("=cmd: \x80 x\n") + std::string(40'000, 'x'), true)
          .cells(1);
  EXPECT_THAT(cells, HasSubstr(" \"=1+1\"\n"));
  EXPECT_THAT(cells, HasSubstr(" \"<b> \xEF\xBF\xBD& \"\"\n"));
  EXPECT_THAT(cells, HasSubstr(" \"inf\"\n"));
}

TEST(the_excel_file, is_refused_with_its_path_and_the_reason_and_keeps_an_older_file) {
  const support::temporary_folder folder;
  const comparison_report report = report_of({example_a()});
  const auto refusal = [&](const std::string& path) {
    return support::error_text([&] {
      write_comparison_workbook(report, std::nullopt, path);
      return 0;
    });
  };
  const std::string nowhere = folder.path("no/x.xlsx");
  EXPECT_EQ(refusal(nowhere), "cannot write " + nowhere + ": No such file or directory");
  const std::string taken = folder.path("taken");
  std::filesystem::create_directories(taken + "/below");
  EXPECT_THAT(refusal(taken), StartsWith("cannot write " + taken + ": "));
  // Longer than Excel's sheets.
  const std::string old = folder.write("old.xlsx", "old");
  EXPECT_EQ(support::error_text([&] {
              write_comparison_workbook(report, std::string(1'048'577, '\n') + "x", old);
              return 0;
            }),
            "cannot write " + old +
                ": the sheet Environment: Excel allows 1048576 rows and 16384 columns");
  EXPECT_EQ(base::read_file(old), "old");
}

TEST(names_of_excel_sheets, are_valid) {
  EXPECT_THAT(excel_sheet_names(strings{"a[1]:*?/\\b", "'quoted'", "", "\x01\x80\xEF\xBF\xBF"}),
              ElementsAre("a_1______b", "_quoted_", "Sheet", "_\xEF\xBF\xBD\xEF\xBF\xBD"));
}

TEST(names_of_excel_sheets, have_at_most_31_utf_16_units) {
  std::string faces;
  std::string umlauts;
  for (int i = 0; i < 40; ++i) {
    faces += "\xF0\x9F\x98\x80";
    umlauts += "\xC3\xA4";
  }
  const strings names =
      excel_sheet_names(strings{std::string(40, 'x'), std::string(30, 'x') + "'y", faces, umlauts});
  EXPECT_EQ(names[0], std::string(31, 'x'));
  EXPECT_EQ(names[1], std::string(30, 'x') + "_");
  EXPECT_EQ(names[2], faces.substr(0, 4 * 15));
  EXPECT_EQ(names[3], umlauts.substr(0, 2 * 31));
}

TEST(names_of_excel_sheets, differ_also_without_the_case_of_letters) {
  EXPECT_THAT(excel_sheet_names(
                  strings{"m", "M", "m", "environment", "History", "\xC3\xA4", "\xC3\x84", "M_2"}),
              ElementsAre("m", "M_2", "m_3", "environment_2", "History_2", "\xC3\xA4", "\xC3\x84_2",
                          "M_2_2"));
  const strings many = excel_sheet_names(strings(120, std::string(31, 'n')));
  EXPECT_EQ(many[9], std::string(28, 'n') + "_10");
  EXPECT_EQ(many.back(), std::string(27, 'n') + "_120");
  EXPECT_EQ(std::set<std::string>(many.begin(), many.end()).size(), many.size());
}

}  // namespace
}  // namespace inferbench::perf
