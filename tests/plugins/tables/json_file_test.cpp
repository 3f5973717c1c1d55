// Tests JSON files with a row on each line and JSON files that are one array of rows, and the copy
// of their rows (row_copy.hpp).
#include "datasets/tables/json_file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/unfit_row.hpp"
#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class json_files : public tables_test::bench {
 protected:
  std::unique_ptr<data_file> open(std::string_view text, const std::vector<std::string>& columns) {
    const std::string path = folder_.write("t.json", text);
    return open_json(host(), {path, "t.json", file_format::json}, wanted_columns(columns));
  }
  std::string refusal(std::string_view text, const std::vector<std::string>& columns = {"a"}) {
    const ifb::failure e = failure_of([&] { texts(*open(text, columns)); });
    EXPECT_EQ(e.option(), "path");
    return e.message();
  }
};

TEST_F(json_files, are_lines_or_an_array_whatever_their_names_are) {
  EXPECT_THAT(texts(*open("{\"a\": 1, \"b\": [2]}\n\n{\"a\": \"x\"}\n", {"a", "b"})),
              ElementsAre(R"({"a": 1, "b": [2]})", R"({"a": "x", "b": null})"));
  EXPECT_THAT(texts(*open("\xEF\xBB\xBF [{\"a\": 1},\n {\"a\": 2, \"c\": 3}]\n", {"a"})),
              ElementsAre(R"({"a": 1})", R"({"a": 2})"));
  EXPECT_EQ(open("", {"a"})->rows(), 0U);
  EXPECT_EQ(open("[]", {"a"})->rows(), 0U);
}

TEST_F(json_files, tell_the_places_of_their_rows) {
  EXPECT_EQ(open("{\"a\": 1}\n\n{\"a\": 2}\n", {"a"})->place(1), "t.json:3");
  EXPECT_EQ(open("[{\"a\": 1}, {\"a\": 2}]", {"a"})->place(1), "t.json, row 2");
}

TEST_F(json_files, leave_out_an_optional_column_in_the_rows_that_lack_it) {
  EXPECT_THAT(texts(*open("{\"a\": 1}\n{\"a\": 2, \"b\": 3}\n", {"a", "b?"})),
              ElementsAre(R"({"a": 1})", R"({"a": 2, "b": 3})"));
}

TEST_F(json_files, that_lack_a_required_column_are_refused_with_their_columns) {
  EXPECT_EQ(refusal("{\"x\": 1}\n{\"y\": 1}\n"), "t.json has no column \"a\"; it has x, y");
  EXPECT_EQ(refusal("[{\"x\": 1}]"), "t.json has no column \"a\"; it has x");
}

TEST_F(json_files, have_null_for_numbers_that_json_does_not_have) {
  EXPECT_THAT(texts(*open("[{\"a\": NaN}, {\"a\": [-Infinity, {\"b\": NaN, \"c\": 1.5}]}]", {"a"})),
              ElementsAre(R"({"a": null})", R"({"a": [null, {"b": null, "c": 1.5}]})"));
  EXPECT_THAT(texts(*open("{\"a\": Infinity}\n", {"a"})), ElementsAre(R"({"a": null})"));
}

TEST_F(json_files, that_are_malformed_name_the_place) {
  EXPECT_THAT(refusal("{\"a\": 1}\nfoo\n"), HasSubstr("t.json:2:"));
  EXPECT_THAT(refusal("[{\"a\": 1},"), HasSubstr("the file ends inside the array"));
  EXPECT_THAT(refusal("5\n"), HasSubstr("the row is not a JSON object"));
  EXPECT_THAT(refusal("[5]"), HasSubstr("t.json, row 1: the row is not a JSON object"));
  EXPECT_THAT(refusal("[{\"a\": \"\xFF\"}]"), HasSubstr("not UTF-8"));
}

TEST_F(json_files, with_unfit_rows_can_be_read_on) {
  const auto reason = [](data_file& file, std::uint64_t row) -> std::string {
    ifb::json_document out;
    try {
      file.read(row, out);
    } catch (const unfit_row& e) {
      return e.reason();
    }
    return ifb::to_text(out);
  };
  const auto lines = open("foo\n{\"a\": 1}\n{\"a\": 2\n5\n{\"a\": \"\xFF\"}\n{\"a\": 3}\n", {"a"});
  EXPECT_THAT(reason(*lines, 0), StartsWith("malformed JSON: "));
  EXPECT_EQ(reason(*lines, 1), R"({"a": 1})");
  EXPECT_EQ(reason(*lines, 2), "malformed JSON: the line ends inside the row");
  EXPECT_EQ(reason(*lines, 3), "the row is not a JSON object");
  EXPECT_EQ(reason(*lines, 4), "text that is not UTF-8");
  EXPECT_EQ(reason(*lines, 5), R"({"a": 3})");
  const auto array = open("[5, {\"a\": 1}, {\"a\": \"\xFF\"}]", {"a"});
  EXPECT_EQ(reason(*array, 0), "the row is not a JSON object");
  EXPECT_EQ(reason(*array, 1), R"({"a": 1})");
  EXPECT_EQ(reason(*array, 2), "text that is not UTF-8");
}

TEST_F(json_files, without_any_fit_row_are_refused) {
  EXPECT_THAT(refusal("<html>\n</html>\n"), StartsWith("t.json:1:1: malformed JSON: "));
}

TEST_F(json_files, that_nest_too_deeply_are_refused) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\": " + std::string(depth, '[') + std::string(depth, ']') + "}\n";
  };
  EXPECT_EQ(texts(*open(nested(400), {"a"})).size(), 1U);
  EXPECT_THAT(refusal(nested(1000)),
              HasSubstr("t.json:1: the row is nested more than 500 levels deep"));
  EXPECT_THAT(refusal(nested(1'000'000)), HasSubstr("levels deep"));
}

TEST_F(json_files, with_a_row_that_is_too_large_name_it) {
  // A file with a hole of 300 MB takes no space.
  const std::string path = folder_.write("t.json", "{\"a\": 1}\n{\"a\": \"");
  std::filesystem::resize_file(path, 300'000'000);
  std::ofstream(path, std::ios::app) << "\"}\n";
  const auto file = open_json(host(), {path, "t.json", file_format::json}, {{"a"}});
  ifb::json_document row;
  file->read(0, row);
  EXPECT_EQ(failure_of([&] { file->read(1, row); }).message(),
            "t.json:2: the row has more than 256 MB");
}

TEST_F(json_files, can_be_read_in_any_order) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "{\"a\": " + std::to_string(i) + "}\n";
  const auto file = open(text, {"a"});
  ifb::json_document row;
  for (const std::uint64_t i : {2999U, 0U, 1500U}) {
    file->read(i, row);
    EXPECT_EQ(row["a"].GetUint64(), i);
  }
}

}  // namespace
}  // namespace tables
