#include "datasets/tables/parquet_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/unfit_row.hpp"
#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class parquet_files : public tables_test::bench {
 protected:
  parquet_file open(const std::string& path, const std::vector<std::string>& columns) {
    if (!from_) from_.emplace(duckdb_of_process(), host());
    return {*from_, path, "t.parquet", wanted_columns(columns)};
  }
  static std::string text(parquet_file& file, std::uint64_t row) {
    ifb::json_document out;
    file.read(row, out);
    return ifb::to_text(out);
  }
  std::string refusal(const std::string& path, const std::vector<std::string>& columns) {
    const ifb::failure e = failure_of([&] { open(path, columns); });
    EXPECT_EQ(e.option(), "path");
    return e.message();
  }

  std::optional<database> from_;
};

TEST_F(parquet_files, give_the_wanted_columns_of_any_row) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet(
      "a.parquet", "SELECT range AS id, 'text ' || range AS text, 'x' AS other FROM range(5000)",
      "ROW_GROUP_SIZE 2048");
  parquet_file file = open(path, {"text", "id", "none?"});
  EXPECT_EQ(file.rows(), 5000U);
  EXPECT_EQ(text(file, 4999), R"({"text": "text 4999", "id": 4999})");
  EXPECT_EQ(text(file, 0), R"({"text": "text 0", "id": 0})");
  EXPECT_EQ(text(file, 2048), R"({"text": "text 2048", "id": 2048})");
  EXPECT_EQ(file.place(41), "t.parquet, row 42");
}

TEST_F(parquet_files, load_rows_together_and_keep_them_until_they_are_dropped) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet("a.parquet", "SELECT range AS id FROM range(5000)");
  parquet_file file = open(path, {"id"});
  file.load(0, std::array<std::uint64_t, 3>{7, 1000, 4999});
  file.load(1, std::array<std::uint64_t, 1>{2000});
  std::filesystem::remove(path);  // loaded rows need no file
  EXPECT_EQ(text(file, 1000), R"({"id": 1000})");
  EXPECT_EQ(text(file, 4999), R"({"id": 4999})");
  EXPECT_EQ(text(file, 7), R"({"id": 7})");
  EXPECT_THAT(failure_of([&] { text(file, 8); }).message(),
              HasSubstr("t.parquet, row 9 cannot be read"));
  file.drop(0);
  file.drop(5);
  EXPECT_EQ(failure_of([&] { text(file, 7); }).code(), IFB_E_DATA);
  EXPECT_EQ(text(file, 2000), R"({"id": 2000})");
}

TEST_F(parquet_files, know_the_average_size_of_a_row) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet(
      "a.parquet", "SELECT range AS id, repeat(md5(range::VARCHAR), 100) AS t FROM range(2000)");
  EXPECT_LT(open(path, {"id"}).bytes_a_row(), 20U);
  const auto large = open(path, {"t"}).bytes_a_row();
  EXPECT_GT(large, 3000U);
  EXPECT_LT(large, 4000U);
}

TEST_F(parquet_files, of_other_writers_are_read) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string folder = std::string(INFERBENCH_FIXTURES) + "/datasets/writers/";
  for (const char* name : {"arrow-rs_gzip", "arrow-rs_snappy", "arrow-rs_zstd", "duckdb_snappy"}) {
    parquet_file file = open(folder + name + ".parquet", {"id", "text", "turns", "image"});
    EXPECT_EQ(file.rows(), 6U) << name;
    ifb::json_document row;
    file.read(3, row);
    EXPECT_EQ(row["id"].GetInt(), 3) << name;
    EXPECT_TRUE(row["text"].IsNull()) << name;
    EXPECT_EQ(
        ifb::to_text(row["turns"]),
        R"([[{"role": "user", "content": "Bench question 3: read the text in the picture."}]])")
        << name;
    const std::string_view image = ifb::text_of(ifb::find_path(row, "image.bytes"));
    EXPECT_EQ(image.size(), 4383U) << name;
  }
  parquet_file flat = open(folder + "hyparquet-writer.parquet", {"id", "text", "bytes"});
  EXPECT_EQ(flat.rows(), 6U);
}

TEST_F(parquet_files, without_a_column_tell_their_columns) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet("a.parquet", "SELECT 1 AS a, 2 AS \"b c\"");
  EXPECT_EQ(refusal(path, {"z"}), "t.parquet has no column \"z\"; it has a, b c");
  EXPECT_EQ(refusal(path, {"A"}), "t.parquet has no column \"A\"; it has a, b c");
}

TEST_F(parquet_files, that_are_cut_are_refused) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet("a.parquet", "SELECT range AS a FROM range(1000)");
  for (const std::uintmax_t size : {std::uintmax_t{900}, std::uintmax_t{3}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(path, size);
    EXPECT_THAT(refusal(path, {"a"}), HasSubstr("is not a whole Parquet file: its end is missing"))
        << size;
  }
}

TEST_F(parquet_files, that_are_damaged_name_the_row) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet(
      "a.parquet", "SELECT md5(range::VARCHAR) AS a FROM range(4096)", "ROW_GROUP_SIZE 2048");
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(100)
      << std::string(200, '\xFF');
  parquet_file file = open(path, {"a"});
  file.load(0, std::array<std::uint64_t, 2>{0, 4000});
  const ifb::failure e = failure_of([&] { text(file, 0); });
  EXPECT_EQ(e.code(), IFB_E_DATA);
  EXPECT_THAT(e.message(), HasSubstr("t.parquet, row 1 cannot be read: "));
  EXPECT_THAT(text(file, 4000), HasSubstr("\"a\""));  // in a group that is not damaged
}

TEST_F(parquet_files, with_a_row_that_is_too_large_name_it) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet(
      "a.parquet",
      "SELECT range AS id, [repeat('x', CASE range WHEN 1 THEN 3000000 ELSE 5 END)] AS t "
      "FROM range(3)");
  (void)open(path, {"id"});
  parquet_file file(*from_, path, "t.parquet", {{"t"}}, 1U << 20U);
  for (int loaded = 0; loaded < 2; ++loaded) {
    EXPECT_EQ(text(file, 0), R"({"t": ["xxxxx"]})");
    const ifb::failure e = failure_of([&] { text(file, 1); });
    EXPECT_EQ(e.code(), IFB_E_DATA);
    EXPECT_EQ(e.message(), "t.parquet, row 2: the row has more than 1 MB");
    file.load(0, std::array<std::uint64_t, 3>{0, 1, 2});
  }
}

TEST_F(parquet_files, count_texts_and_binary_values_also_in_structs) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet(
      "a.parquet",
      "SELECT range AS id, repeat(md5(range::VARCHAR), 20000) AS t, {'b': encode(CASE range WHEN 2 "
      "THEN repeat('x', 500000) END), 'n''s': range} AS s FROM range(4)");
  (void)open(path, {"id"});
  parquet_file file(*from_, path, "t.parquet", {{"t"}, {"s"}}, 1U << 20U);
  for (int loaded = 0; loaded < 2; ++loaded) {
    for (const std::uint64_t row : {0U, 1U, 3U})
      EXPECT_THAT(text(file, row), HasSubstr(R"("s": {"b": null, "n's": )")) << row;
    EXPECT_THROW(text(file, 2), unfit_row);
    file.load(0, std::array<std::uint64_t, 4>{0, 1, 2, 3});
  }
  parquet_file other = open(path, {"id"});
  EXPECT_EQ(text(other, 2), R"({"id": 2})");
}

TEST_F(parquet_files, may_have_odd_names_and_no_rows) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path =
      write_parquet("it's [1]*.parquet", "SELECT 'v' AS \"a \"\"b\"\", c\" WHERE false");
  parquet_file file = open(path, {"a \"b\", c"});
  EXPECT_EQ(file.rows(), 0U);
  file.load(0, {});
  file.drop(0);
}

}  // namespace
}  // namespace tables
