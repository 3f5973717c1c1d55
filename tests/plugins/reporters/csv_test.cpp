// Tests the reporter `csv`: the lines of requests, and the file of several runs.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "judged_run.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

using csv_cells = std::vector<std::vector<std::string>>;

/// The cells of a file, by the rules of RFC 4180.
csv_cells cells_of(const std::string& text) {
  csv_cells out;
  std::vector<std::string> line;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else
        quoted = false;
    } else if (c == '"') {
      EXPECT_THAT(cell, IsEmpty()) << "a quote inside of a cell without quotes";
      quoted = true;
    } else if (c == ',') {
      line.push_back(std::exchange(cell, {}));
    } else if (c == '\n') {
      line.push_back(std::exchange(cell, {}));
      out.push_back(std::exchange(line, {}));
    } else {
      cell += c;
    }
  }
  EXPECT_THAT(line, IsEmpty()) << "the last line has no end";
  return out;
}

class csv_file : public testing::Test {
 protected:
  std::vector<setting> named(std::vector<setting> more = {}) const {
    more.push_back({"file", file()});
    return more;
  }
  std::string file() const { return files_.path("r.csv"); }
  std::string text() const { return base::read_file(file()); }
  static std::string cell(const csv_cells& all, std::size_t line, const std::string& column) {
    const auto at = std::ranges::find(all.at(0), column);
    EXPECT_NE(at, all.at(0).end()) << column;
    return all.at(line).at(static_cast<std::size_t>(at - all.at(0).begin()));
  }

  support::temporary_folder files_;
};

TEST_F(csv_file, each_request_is_a_line_in_the_order_of_completion) {
  const outcome o = report_with("csv", named(), strained_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("csv", file())));
  expect_golden(text(), "strained.csv");
  const csv_cells all = cells_of(text());
  EXPECT_THAT(all,
              SizeIs(17));  // includes failed requests, but not the request that was never sent
  for (const auto& line : all)
    EXPECT_EQ(line.size(), all[0].size());
}

TEST_F(csv_file, pooling_requests_have_only_the_latency_of_the_whole_answer) {
  ASSERT_TRUE(report_with("csv", named(), pooling_run()).ok);
  const csv_cells all = cells_of(text());
  for (std::size_t line = 1; line < all.size(); ++line) {
    EXPECT_EQ(cell(all, line, "ttft_ms"), "");
    EXPECT_EQ(cell(all, line, "e2el_ms").empty(), cell(all, line, "status") != "ok");
  }
}

TEST_F(csv_file, a_text_of_the_server_can_neither_break_a_line_nor_run_in_a_spreadsheet) {
  ASSERT_TRUE(report_with("csv", named({{"texts", true}}), hostile_run()).ok);
  const csv_cells all = cells_of(text());
  ASSERT_THAT(all, SizeIs(17));
  EXPECT_EQ(all[0].back(), "text");
  EXPECT_THAT(text(), Not(HasSubstr(std::string(1, '\0'))));
  for (std::size_t line = 1; line < all.size(); ++line) {
    EXPECT_EQ(all[line].size(), all[0].size());
    for (const char* column : {"id", "session", "finish_reason", "error", "attributes", "text"}) {
      const std::string found = cell(all, line, column);
      EXPECT_NE(found.substr(0, 1).find_first_of("=+-@\t\r"), 0U) << found;
    }
    if (cell(all, line, "sequence") == "0") {
      EXPECT_EQ(cell(all, line, "id"), "'+id");
      EXPECT_EQ(cell(all, line, "text"), "'=1+1\n\"two\"");
      EXPECT_THAT(cell(all, line, "attributes"), HasSubstr(R"("reasoning": "because")"));
    }
    if (cell(all, line, "sequence") == "5") {
      EXPECT_EQ(cell(all, line, "error"),
                "'=cmd|' /C calc'!A0 \xEF\xBF\xBD\xEF\xBF\xBD <b>]]>  ,\"end\"");
    }
  }
}

TEST_F(csv_file, without_texts_each_request_is_one_physical_line) {
  ASSERT_TRUE(report_with("csv", named(), hostile_run()).ok);
  const std::string found = text();
  EXPECT_EQ(std::ranges::count(found, '\n'), 17);
  EXPECT_THAT(found, Not(HasSubstr("because")));
}

TEST_F(csv_file, a_run_without_requests_has_only_the_names_of_the_columns) {
  input in = plain_run();
  in.records.clear();
  ASSERT_TRUE(report_with("csv", named(), in).ok);
  EXPECT_THAT(cells_of(text()), SizeIs(1));
  ASSERT_TRUE(report_with("csv", named(), hopeless_run()).ok);
  EXPECT_THAT(cells_of(text()), SizeIs(2));
}

TEST_F(csv_file, a_run_that_fails_leaves_no_file_and_keeps_an_earlier_one) {
  files_.write("r.csv", "earlier");
  const outcome full = report_with("csv", {{"file", std::string("/dev/full")}}, plain_run());
  EXPECT_FALSE(full.ok);
  EXPECT_THAT(full.lines, testing::Contains(HasSubstr("/dev/full")));
  EXPECT_THAT(
      [&] { (void)report_with("csv", {{"file", files_.path("missing/r.csv")}}, plain_run()); },
      testing::ThrowsMessage<base::error>(
          HasSubstr("there is no folder " + files_.path("missing"))));
  EXPECT_EQ(text(), "earlier");
}

TEST_F(csv_file, a_file_that_is_empty_or_a_folder_is_refused) {
  EXPECT_THROW((void)report_with("csv", {{"file", std::string()}}, plain_run()), base::error);
  EXPECT_THROW((void)report_with("csv", {{"file", files_.path()}}, plain_run()), base::error);
}

TEST_F(csv_file, several_runs_are_lines_with_their_axes_first) {
  input second = strained_run();
  second.name = "run-2";
  const outcome o = report_table_with(
      "csv", named(),
      {{plain_run(), "=base", "a.journal", "2"}, {second, "new", "b.journal", "4"}});
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  const csv_cells all = cells_of(text());
  ASSERT_THAT(all, SizeIs(5));  // names, two runs, two points
  for (const auto& line : all)
    EXPECT_EQ(line.size(), all[0].size());
  EXPECT_EQ(all[0][0], "max_concurrency");
  EXPECT_EQ(cell(all, 1, "max_concurrency"), "2");
  EXPECT_EQ(cell(all, 2, "max_concurrency"), "4");
  EXPECT_EQ(cell(all, 1, "kind"), "run");
  EXPECT_EQ(cell(all, 1, "label"), "'=base");
  EXPECT_EQ(cell(all, 2, "name"), "run-2");
  EXPECT_EQ(cell(all, 2, "state"), "interrupted");
  EXPECT_EQ(cell(all, 1, "completed"), "3");
  EXPECT_NE(cell(all, 2, "ttft_p99.9"), "");
  EXPECT_EQ(cell(all, 1, "ttft_p99.9"), "");
  EXPECT_EQ(cell(all, 3, "kind"), "point");
  EXPECT_EQ(cell(all, 3, "runs"), "1");
}

}  // namespace
}  // namespace inferbench::reporters_test
