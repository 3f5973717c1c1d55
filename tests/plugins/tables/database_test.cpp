#include "datasets/tables/database.hpp"

#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class databases : public tables_test::bench {
 protected:
  /// The first value of a query, as JSON.
  static std::string value(database& from, const std::string& sql) {
    query_result result = from.query(sql);
    if (result.next() == 0) return "none";
    ifb::json_document out;
    result.cells(0).put(0, out, out.GetAllocator());
    return ifb::to_text(out);
  }
  template <typename call>
  std::string refusal(call&& body) {
    return failure_of(body).message();
  }
};

TEST_F(databases, carry_out_queries_in_chunks) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  query_result result = from.query("SELECT range FROM range(5000)");
  std::uint64_t rows = 0;
  while (const auto count = result.next())
    rows += count;
  EXPECT_EQ(rows, 5000U);
}

TEST_F(databases, tell_the_columns_of_a_query) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  const auto columns = from.query("SELECT 1 AS a, DATE '2024-01-01' AS \"b c\" LIMIT 0").columns();
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "a");
  EXPECT_EQ(columns[0].json_type, "");
  EXPECT_EQ(columns[1].name, "b c");
  EXPECT_EQ(columns[1].json_type, "VARCHAR");
}

TEST_F(databases, report_the_first_line_of_an_error) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  EXPECT_THAT(refusal([&] { from.query("SELEC 1"); }),
              AllOf(HasSubstr("syntax error"), Not(HasSubstr("\n"))));
  EXPECT_THAT(refusal([&] { from.query("SELECT error('first\nsecond')"); }),
              AllOf(HasSubstr("first"), Not(HasSubstr("second"))));
}

TEST_F(databases, are_small_and_load_no_extensions) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  EXPECT_EQ(value(from, "SELECT current_setting('threads')"), "1");
  EXPECT_EQ(value(from, "SELECT current_setting('autoinstall_known_extensions')"), "false");
  EXPECT_EQ(value(from, "SELECT current_setting('autoload_known_extensions')"), "false");
  EXPECT_EQ(value(from, "SELECT current_setting('temp_directory')"), "\"\"");
  EXPECT_EQ(value(from, "SELECT current_setting('memory_limit')"), "\"429.1 MiB\"");
}

TEST_F(databases, get_more_memory_once) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  try {
    from.query("SELECT length(string_agg(repeat(range::VARCHAR, 1000000), '')) FROM range(2000)");
    ADD_FAILURE() << "the memory was enough";
  } catch (const query_failure& e) {
    EXPECT_TRUE(e.lacked_memory()) << e.message();
  }
  EXPECT_TRUE(from.raise_memory_limit("x.parquet"));
  EXPECT_FALSE(from.raise_memory_limit("x.parquet"));
  EXPECT_THAT(log(),
              HasSubstr("x.parquet needs more than 450 MB of memory to be read; up to 1000"));
  EXPECT_EQ(value(from, "SELECT current_setting('memory_limit')"), "\"953.6 MiB\"");
}

TEST_F(databases, read_and_write_only_the_files_that_were_named) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string one = write_parquet("it's one.parquet", "SELECT 1 AS a");
  const std::string two = write_parquet("two.parquet", "SELECT 2 AS a");
  database from(duckdb_of_process(), host());
  from.confine(std::array{one});
  EXPECT_EQ(value(from, "SELECT a FROM read_parquet(" + sql_text(one) + ")"), "1");
  EXPECT_THAT(refusal([&] { from.query("SELECT a FROM read_parquet(" + sql_text(two) + ")"); }),
              HasSubstr("Cannot access file"));
  EXPECT_THAT(refusal([&] { from.query("COPY (SELECT 1) TO " + sql_text(two)); }),
              HasSubstr("Cannot access file"));
  EXPECT_THAT(refusal([&] { from.query("SELECT * FROM read_text('/etc/passwd')"); }),
              HasSubstr("Cannot access file"));
  EXPECT_THAT(refusal([&] { from.query("SET enable_external_access = true"); }),
              HasSubstr("Cannot"));
}

TEST_F(databases, stop_with_the_run) {
  INFERBENCH_NEEDS_DUCKDB();
  database from(duckdb_of_process(), host());
  const_cast<ifb_host*>(host_.table())->cancelled = [](const ifb_host*) -> std::uint32_t {
    return 1;
  };
  EXPECT_EQ(failure_of([&] { from.query("SELECT 1"); }).code(), IFB_E_CANCELLED);
}

TEST_F(databases, quote_names_and_texts) {
  EXPECT_EQ(sql_text("it's"), "'it''s'");
  EXPECT_EQ(sql_name("a \"b\""), "\"a \"\"b\"\"\"");
}

}  // namespace
}  // namespace tables
