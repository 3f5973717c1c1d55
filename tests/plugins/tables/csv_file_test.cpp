#include "datasets/tables/csv_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class csv_files : public tables_test::bench {
 protected:
  std::unique_ptr<data_file> open(std::string_view text, const std::vector<std::string>& columns,
                                  file_format format = file_format::csv) {
    if (!from_) {
      from_.emplace(duckdb_of_process(), host());
      conversions_.emplace();
    }
    const std::string path = folder_.write(std::to_string(++files_), text);
    return open_csv(*from_, {path, "t.csv", format}, conversions_->file(files_),
                    wanted_columns(columns));
  }
  std::string refusal(std::string_view text) {
    return failure_of([&] { open(text, {"a"}); }).message();
  }

  std::optional<database> from_;
  std::optional<conversion_folder> conversions_;
  std::size_t files_ = 0;
};

TEST_F(csv_files, have_numbers_truth_values_and_texts) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_THAT(texts(*open("a,b,c,d\n1,1.5,true,x\n-2,3,False,2024-01-01\n", {"a", "b", "c", "d"})),
              ElementsAre(R"({"a": 1, "b": 1.5, "c": true, "d": "x"})",
                          R"({"a": -2, "b": 3.0, "c": false, "d": "2024-01-01"})"));
}

TEST_F(csv_files, have_one_type_in_a_column) {
  INFERBENCH_NEEDS_DUCKDB();
  std::string text = "a\n";
  for (int i = 0; i < 30'000; ++i)
    text += "1\n";
  ifb::json_document row;
  open(text + "x\n", {"a"})->read(0, row);
  EXPECT_EQ(ifb::to_text(row), R"({"a": "1"})");
  open("a\n0\n1\n", {"a"})->read(0, row);
  EXPECT_EQ(ifb::to_text(row), R"({"a": 0})");
}

TEST_F(csv_files, read_missing_values_as_null) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_THAT(
      texts(*open("a,b\n1,\n,NA\n\"\",null\n2,nan\n3\n", {"a", "b"})),
      ElementsAre(R"({"a": 1, "b": null})", R"({"a": null, "b": null})",
                  R"({"a": null, "b": null})", R"({"a": 2, "b": null})", R"({"a": 3, "b": null})"));
}

TEST_F(csv_files, have_quoted_values) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_THAT(texts(*open("a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\n#,z\n", {"a", "b"})),
              ElementsAre(R"({"a": "x, \"y\"", "b": "two\nlines"})", R"({"a": "#", "b": "z"})"));
}

TEST_F(csv_files, can_be_separated_by_tabs) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_THAT(texts(*open("a\tb\n1\tx, y\n", {"b"}, file_format::tsv)),
              ElementsAre(R"({"b": "x, y"})"));
}

TEST_F(csv_files, keep_their_order) {
  INFERBENCH_NEEDS_DUCKDB();
  std::string text = "a\n";
  for (int i = 0; i < 10'000; ++i)
    text += std::to_string(i) + "\n";
  const auto file = open(text, {"a"});
  ASSERT_EQ(file->rows(), 10'000U);
  ifb::json_document row;
  for (const std::uint64_t i : {0U, 5000U, 9999U}) {
    file->read(i, row);
    EXPECT_EQ(row["a"].GetUint64(), i);
  }
  EXPECT_EQ(file->place(0), "t.csv, row 1");
}

TEST_F(csv_files, that_are_malformed_name_line_and_reason) {
  INFERBENCH_NEEDS_DUCKDB();
  std::string text = "a,b\n";
  for (int i = 0; i < 30'000; ++i)
    text += "1,2\n";
  EXPECT_THAT(refusal(text + "1,2,3\n"),
              AllOf(HasSubstr("t.csv cannot be read as CSV: "), HasSubstr("Line: 30002"),
                    HasSubstr("Expected Number of Columns: 2 Found: 3")));
  EXPECT_THAT(refusal("a,b\n\xFF\xFE,2\n"), HasSubstr("not utf-8"));
  EXPECT_THAT(refusal("a,b\n1," + std::string(20'000'000, 'x') + "\n"),
              HasSubstr("Maximum line size of 16777216 bytes exceeded"));
  EXPECT_THAT(refusal("b,c\n1,2\n"), HasSubstr("t.csv has no column \"a\"; it has b, c"));
}

TEST_F(csv_files, that_are_malformed_at_the_beginning_name_line_and_remedy) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_THAT(refusal("a,b\n1,2\n1,2,3\n1,2\n"),
              AllOf(HasSubstr("Line: 3: Expected Number of Columns: 2 Found: 3; "),
                    HasSubstr("must be in quotes")));
  EXPECT_THAT(refusal("a,\"b, c\"\n1,2\n1,\"open\nnext,2\nlast,3\n"),
              AllOf(HasSubstr("Line: 3: Value with unterminated quote found"),
                    HasSubstr("each quote in it must be doubled")));
}

TEST_F(csv_files, leave_no_temporary_files) {
  INFERBENCH_NEEDS_DUCKDB();
  open("a\n1\n", {"a"});
  const std::filesystem::path made = conversions_->file(files_);
  EXPECT_TRUE(std::filesystem::exists(made));
  conversions_.reset();
  EXPECT_FALSE(std::filesystem::exists(made.parent_path()));
}

}  // namespace
}  // namespace tables
