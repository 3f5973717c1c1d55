// Tests the values that columns of each type get in JSON: cells.hpp and json_types.hpp.
#include "datasets/tables/cells.hpp"

#include <gtest/gtest.h>

#include "datasets/tables/parquet_file.hpp"
#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

class cell_values : public tables_test::bench {
 protected:
  /// Writes the value to a Parquet file and reads it.
  std::string read(const std::string& sql) {
    const std::string path =
        write_parquet("values" + std::to_string(++files_) + ".parquet", "SELECT " + sql + " AS v");
    database from(duckdb_of_process(), host());
    parquet_file file(from, path, "values", {{"v"}});
    file.read(0, row_);
    return ifb::to_text(row_["v"]);
  }

  ifb::json_document row_;
  int files_ = 0;
};

TEST_F(cell_values, of_numbers_are_numbers) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_EQ(read("-7::TINYINT"), "-7");
  EXPECT_EQ(read("-700::SMALLINT"), "-700");
  EXPECT_EQ(read("-70000::INTEGER"), "-70000");
  EXPECT_EQ(read("(-9223372036854775807)::BIGINT"), "-9223372036854775807");
  EXPECT_EQ(read("200::UTINYINT"), "200");
  EXPECT_EQ(read("60000::USMALLINT"), "60000");
  EXPECT_EQ(read("4000000000::UINTEGER"), "4000000000");
  EXPECT_EQ(read("18446744073709551615::UBIGINT"), "18446744073709551615");
  EXPECT_EQ(read("0.5::FLOAT"), "0.5");
  EXPECT_EQ(read("0.1::DOUBLE"), "0.1");
  EXPECT_EQ(read("1.25::DECIMAL(10, 2)"), "1.25");
  EXPECT_EQ(read("7::DECIMAL(38, 0)"), "7.0");
  EXPECT_EQ(read("true"), "true");
}

TEST_F(cell_values, that_json_does_not_have_are_null) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_EQ(read("'nan'::DOUBLE"), "null");
  EXPECT_EQ(read("'-inf'::FLOAT"), "null");
  EXPECT_EQ(read("NULL::INTEGER"), "null");
  EXPECT_EQ(read("NULL"), "null");
  EXPECT_EQ(read("[1.5::DOUBLE, 'nan'::DOUBLE, NULL]"), "[1.5, null, null]");
}

TEST_F(cell_values, of_times_and_the_like_are_texts) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_EQ(read("DATE '2024-02-29'"), "\"2024-02-29\"");
  EXPECT_EQ(read("TIMESTAMP '2024-02-29 12:34:56.5'"), "\"2024-02-29 12:34:56.5\"");
  EXPECT_EQ(read("TIMESTAMPTZ '2024-02-29 12:34:56+02'"), "\"2024-02-29 10:34:56+00\"");
  EXPECT_EQ(read("TIME '01:02:03'"), "\"01:02:03\"");
  EXPECT_EQ(read("uuid '00000000-0000-0000-0000-000000000001'"),
            "\"00000000-0000-0000-0000-000000000001\"");
  EXPECT_EQ(read("'x'::ENUM('x', 'y')"), "\"x\"");
}

TEST_F(cell_values, of_texts_and_bytes_are_texts) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_EQ(read("'short'"), "\"short\"");
  EXPECT_EQ(read("'a text of more than twelve bytes'"), "\"a text of more than twelve bytes\"");
  EXPECT_EQ(read("''"), "\"\"");
  (void)read("'\\x00\\xFF\\x7F'::BLOB");
  EXPECT_EQ(ifb::text_of(&row_["v"]), std::string_view("\0\xFF\x7F", 3));
}

TEST_F(cell_values, nest) {
  INFERBENCH_NEEDS_DUCKDB();
  EXPECT_EQ(read("[1, NULL, 3]"), "[1, null, 3]");
  EXPECT_EQ(read("[]::INTEGER[]"), "[]");
  EXPECT_EQ(read("{'a': 1, 'b c': {'d': NULL::VARCHAR}}"), R"({"a": 1, "b c": {"d": null}})");
  EXPECT_EQ(read("[[{'role': 'user', 'content': 'x'}], [], NULL]"),
            R"([[{"role": "user", "content": "x"}], [], null])");
  EXPECT_EQ(read("MAP {'k': 1, 'l': NULL}"), R"({"k": 1, "l": null})");
  EXPECT_EQ(read("MAP {1: ['a']}"), R"({"1": ["a"]})");
  EXPECT_EQ(read("[1, 2]::INTEGER[2]"), "[1, 2]");
  EXPECT_EQ(read("{'t': [{'d': DATE '2024-01-01', 'n': 1.5::DECIMAL(3, 1)}]}"),
            R"({"t": [{"d": "2024-01-01", "n": 1.5}]})");
}

}  // namespace
}  // namespace tables
