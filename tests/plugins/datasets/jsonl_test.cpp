#include "datasets/common/jsonl.hpp"

#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <inferbench/text.hpp>

#include "plugins/datasets/data_file.hpp"
#include "support/plugin_box.hpp"

namespace {

using files::json_lines;
using files::json_row;
using support::data_file;
using ::testing::HasSubstr;

struct jsonl_bench {
  explicit jsonl_bench(const std::string& path) : lines(ifb::host(host.table()), path) {}
  support::host host;
  json_lines lines;
};

std::string message_of(json_lines& lines, std::uint64_t row) {
  json_row out;
  try {
    lines.read(row, out);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_DATA);
    EXPECT_EQ(e.option(), "path");
    std::string text = e.message();
    text.replace(0, lines.path().size(), "FILE");
    return text;
  }
  return "row";
}

TEST(json_lines, a_row_is_a_line_with_more_than_blanks) {
  const data_file file("\xEF\xBB\xBF{\"a\": 1}\r\n\n  \t\r\n {\"a\": 2} \n\n{\"a\": 3}");
  jsonl_bench b(file.path());
  ASSERT_EQ(b.lines.rows(), 3U);
  json_row row;
  const std::uint64_t numbers[] = {1, 4, 6};
  for (const std::uint64_t i : {2U, 0U, 1U, 2U}) {
    b.lines.read(i, row);
    EXPECT_EQ(row.object()["a"].GetUint64(), i + 1);
    EXPECT_EQ(row.line(), numbers[i]);
  }
}

TEST(json_lines, a_fault_of_a_row_has_its_place_and_its_reason) {
  const data_file file("{\"a\": 1} x\n5\n");
  jsonl_bench b(file.path());
  const auto parts_of = [&](std::uint64_t row) -> std::string {
    json_row out;
    try {
      b.lines.read(row, out);
    } catch (const files::row_fault& e) {
      EXPECT_EQ(e.message(), b.lines.path() + ":" + e.place() + ": " + e.reason());
      return e.place() + "|" + e.reason();
    }
    return {};
  };
  EXPECT_THAT(parts_of(0), testing::StartsWith("1:9|malformed JSON: text after the row; "));
  EXPECT_EQ(parts_of(1), "2|the row is not a JSON object");
}

TEST(json_lines, files_without_a_row_have_none) {
  for (const char* const text : {"", "\n", "\xEF\xBB\xBF", "  \r\n\t\n\n  "}) {
    const data_file file(text);
    EXPECT_EQ(jsonl_bench(file.path()).lines.rows(), 0U);
  }
}

TEST(json_lines, every_row_is_found_in_any_order_however_long_the_lines_are) {
  std::mt19937 random(1);
  std::string text;
  std::vector<std::pair<std::string, std::uint64_t>> expected;
  for (std::uint64_t number = 1; number <= 4000; ++number) {
    const std::size_t kind = random() % 100;
    std::string line;
    // Some lines are longer than the blocks of the index (8192 bytes), some have exactly that size.
    const std::size_t size = kind < 2 ? 30000 : kind < 3 ? 8192 - 13 : random() % 300;
    if (kind >= 20)
      line = R"({"x": ")" + std::to_string(number) + std::string(size, 'x') + "\"}";
    else if (kind >= 10)
      line = std::string(kind == 10 ? 20000 : 3, ' ');
    if (kind >= 20) expected.emplace_back(line, number);
    text += line + "\n";
  }
  const data_file file(text);
  const jsonl_bench b(file.path());
  ASSERT_EQ(b.lines.rows(), expected.size());
  for (std::size_t i = 0; i < expected.size() * 2; ++i) {
    const std::size_t row = i < expected.size() ? i : random() % expected.size();
    const auto found = b.lines.find(row);
    ASSERT_EQ(found.text, expected[row].first);
    ASSERT_EQ(found.number, expected[row].second);
  }
}

TEST(json_lines, a_value_that_is_not_an_object_is_refused_with_its_position) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{\"a\": 1", "FILE:2:8: malformed JSON: the line ends inside the row"},
      {"{\"a\": \"x\\", "FILE:2:9: malformed JSON: invalid escape character in string"},
      {"{\"a\" 1}", "FILE:2:6: malformed JSON: missing a colon after a name of object member"},
      {"{} {}",
       "FILE:2:3: malformed JSON: text after the row; a row is one JSON object on one line"},
      {"hello", "FILE:2:1: malformed JSON: invalid value"},
      {"[{}]", "FILE:2: the row is not a JSON object"},
      {"null", "FILE:2: the row is not a JSON object"},
      {"{\"a\": \"\xFF\"}", "FILE:2:8: text that is not UTF-8"},
      {std::string_view("{\"a\": 1}\0", 9),
       "FILE:2:9: malformed JSON: text after the row; a row is one JSON object on one line"},
      {"{\"a\": NaN, \"b\": [Infinity, \"\\ud800\"]}", "row"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    const data_file file("\n" + std::string(text) + "\n{}");
    jsonl_bench b(file.path());
    EXPECT_EQ(message_of(b.lines, 0), said);
    EXPECT_EQ(message_of(b.lines, 1), "row");
  }
}

TEST(json_lines, deep_nesting_costs_no_stack) {
  const std::size_t deep = 1'000'000;
  const data_file file("{\"a\": " + std::string(deep, '[') + std::string(deep, ']') +
                       "}\n{\"a\": " + std::string(deep, '['));
  jsonl_bench b(file.path());
  EXPECT_EQ(message_of(b.lines, 0), "row");
  EXPECT_THAT(message_of(b.lines, 1), HasSubstr("the line ends inside the row"));
}

TEST(json_lines, a_missing_member_is_reported_with_the_existing_members) {
  const data_file file("{\"text\": 1, \"n\": 2}\n{}\n{\"" + std::string(5000, 'k') +
                       "\": 1}\n{\"prompt\": 1, \"prompt\": 2}");
  jsonl_bench b(file.path());
  const auto said = [&](std::uint64_t i) {
    json_row row;
    b.lines.read(i, row);
    try {
      static_cast<void>(row.at("prompt"));
    } catch (const ifb::failure& e) {
      return e.message().substr(file.path().size());
    }
    return std::string("there");
  };
  EXPECT_EQ(said(0), ":1: there is no \"prompt\", only text, n");
  EXPECT_EQ(said(1), ":2: there is no \"prompt\"");
  EXPECT_LT(said(2).size(), 400U);
  EXPECT_EQ(said(3), "there");
  json_row row;
  b.lines.read(3, row);
  EXPECT_EQ(row.at("prompt").GetInt(), 2);  // the last of two equal members, as in Python
}

// Resident bytes of this process's mapping of the file.
std::size_t resident(const std::string& path) {
  std::ifstream maps("/proc/self/smaps");
  std::size_t out = 0;
  bool ours = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string first;
    std::size_t kilobytes = 0;
    words >> first >> kilobytes;
    if (!first.ends_with(':'))
      ours = line.ends_with(path);
    else if (ours && first == "Rss:")
      out += kilobytes * 1024;
  }
  return out;
}

constexpr std::size_t large_rows = 700;

// A file of 45 MB.
std::string large_file() {
  std::string text;
  for (std::size_t i = 0; i < large_rows; ++i)
    text += R"({"n": )" + std::to_string(i) + R"(, "x": ")" + std::string(64000, 'x') + "\"}\n";
  return text;
}

TEST(json_lines, memory_of_a_large_file_is_given_back_on_the_way) {
  constexpr std::size_t little = std::size_t{32} << 20U;
  const data_file file(large_file());
  jsonl_bench b(file.path());
  ASSERT_EQ(b.lines.rows(), large_rows);
  EXPECT_LT(resident(file.path()), little);
  json_row row;
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < large_rows; ++i) {
    b.lines.read(i, row);
    ASSERT_EQ(row.object()["n"].GetUint64(), i);
    if (i % 50 == 0) most = std::max(most, resident(file.path()));
  }
  EXPECT_GT(most, 0U);  // resident() has found the mapping
  EXPECT_LT(most, little);
}

TEST(json_lines, data_from_a_pipe_stays_in_memory) {
  const data_file folder("");
  const std::string pipe = folder.folder() + "/pipe.jsonl";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = large_file();
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  jsonl_bench b(pipe);
  writer.join();
  ASSERT_EQ(b.lines.rows(), large_rows);
  json_row row;
  for (std::uint64_t i = 0; i < large_rows; ++i) {
    b.lines.read(i, row);
    ASSERT_EQ(row.object()["n"].GetUint64(), i);
  }
}

TEST(json_lines, a_file_that_cannot_be_read_is_named_with_the_reason) {
  try {
    const jsonl_bench b("/nonexistent/rows.jsonl");
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_IO);
    EXPECT_EQ(e.message(), "cannot read /nonexistent/rows.jsonl: No such file or directory");
  }
}

}  // namespace
