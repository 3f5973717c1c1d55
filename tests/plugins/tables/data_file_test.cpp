#include "datasets/tables/data_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace tables {
namespace {

TEST(data_files, are_recognised_by_the_ending_of_their_names) {
  EXPECT_EQ(format_of("a/b-00000-of-00001.parquet"), file_format::parquet);
  EXPECT_EQ(format_of("a.json"), file_format::json);
  EXPECT_EQ(format_of("a.jsonl"), file_format::json);
  EXPECT_EQ(format_of("a.ndjson"), file_format::json);
  EXPECT_EQ(format_of("a.csv"), file_format::csv);
  EXPECT_EQ(format_of("a.tsv"), file_format::tsv);
  for (const char* other : {"a.arrow", "a.json.gz", "json", "a.PARQUET", "a.txt", ""})
    EXPECT_EQ(format_of(other), file_format::none) << other;
}

TEST(data_files, have_columns_that_may_be_missing) {
  const std::vector<std::string> texts{"a", "b?"};
  const auto columns = wanted_columns(texts);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "a");
  EXPECT_FALSE(columns[0].may_be_missing);
  EXPECT_EQ(columns[1].name, "b");
  EXPECT_TRUE(columns[1].may_be_missing);
}

TEST(data_files, name_their_columns_if_one_is_missing) {
  const std::vector<std::string> there{"a", "b"};
  EXPECT_EQ(missing_column("f.csv", "c", there).message(),
            "f.csv has no column \"c\"; it has a, b");
  EXPECT_EQ(missing_column("f.csv", "c", {}).message(),
            "f.csv has no column \"c\"; it has no columns");
  const std::vector<std::string> many(1000, "a_long_name_of_a_column");
  EXPECT_LT(missing_column("f.csv", "c", many).message().size(), 400U);
}

}  // namespace
}  // namespace tables
