// A Parquet file. Its footer is read when it is opened, and values only when their rows are read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data_file.hpp"
#include "database.hpp"
#include "limits.hpp"

namespace tables {

/// Rows are found by their number in the file. DuckDB skips the groups, and mostly the pages, that
/// contain none of the wanted rows.
class parquet_file final : public data_file {
 public:
  /// `from` must outlive this object. `title` is the file's name in messages. A row with more than
  /// `most_bytes` of texts and binary values is unfit (unfit_row.hpp). Throws ifb::failure
  /// (IFB_E_DATA or IFB_E_CONFIG, option "path") if the file is not a whole Parquet file or lacks a
  /// column.
  parquet_file(database& from, const std::string& path, std::string title,
               const std::vector<wanted_column>& columns, std::uint64_t most_bytes = largest_row);

  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  [[nodiscard]] std::string place(std::uint64_t row) const override;
  void read(std::uint64_t row, ifb::json_document& out) override;
  [[nodiscard]] std::uint64_t bytes_a_row() const override;
  void load(std::uint64_t block, std::span<const std::uint64_t> rows) override;
  void drop(std::uint64_t block) override { blocks_.erase(block); }

 private:
  // Rows that were read together: an array of objects, and the places in it by the row's number.
  // A row that is too large has no place.
  struct row_block {
    ifb::json_document rows{rapidjson::kArrayType};
    std::map<std::uint64_t, std::optional<rapidjson::SizeType>> index;
  };

  void inspect(const std::vector<wanted_column>& columns);
  void estimate();
  void fetch(std::span<const std::uint64_t> rows, row_block& into);
  void load_more(std::span<const std::uint64_t> rows, row_block& into, int halved);
  void fetch_alone(std::uint64_t row, row_block& into);
  [[nodiscard]] const row_block* block_of(std::uint64_t row) const;

  database* from_;
  std::string title_;
  std::string table_;          // the file as a table in SQL
  std::string file_;           // the path as a text in SQL
  std::string columns_;        // the wanted columns in SQL
  std::string bytes_;          // the size of their values in SQL, as far as DuckDB can tell it
  bool may_be_large_ = false;  // a row may have more than most_bytes_
  std::vector<std::string> names_;
  std::uint64_t most_bytes_;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_a_row_ = 1;

  std::map<std::uint64_t, row_block> blocks_;  // the rows that load() read
};

}  // namespace tables
