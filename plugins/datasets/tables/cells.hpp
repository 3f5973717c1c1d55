// Turns the values of a DuckDB vector into JSON values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/json_reader.hpp>

#include "duckdb_api.hpp"

namespace tables {

/// Reads one column of one chunk, with the columns inside it. The types are those that json_type()
/// leaves. Valid as long as the chunk. May be used by only one thread at a time.
class cell_reader {
 public:
  cell_reader(const duckdb::functions& api, duckdb::vector vector);

  /// Returns the number of bytes of the texts and binary values of row `row`.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t row) const;
  /// Stores the value of row `row` in `out`, with a copy of all texts. NaN and infinities become
  /// null.
  void put(std::uint64_t row, ifb::json_value& out,
           ifb::json_document::AllocatorType& memory) const;

 private:
  [[nodiscard]] bool is_null(std::uint64_t row) const {
    return validity_ != nullptr && (validity_[row / 64] >> row % 64 & 1U) == 0;
  }
  template <typename content>
  [[nodiscard]] const content& at(std::uint64_t row) const {
    return static_cast<const content*>(data_)[row];
  }
  void put_list(std::uint64_t row, ifb::json_value& out,
                ifb::json_document::AllocatorType& memory) const;
  void put_map(std::uint64_t row, ifb::json_value& out,
               ifb::json_document::AllocatorType& memory) const;
  void put_struct(std::uint64_t row, ifb::json_value& out,
                  ifb::json_document::AllocatorType& memory) const;

  duckdb::type type_ = duckdb::type_varchar;
  const void* data_ = nullptr;
  const std::uint64_t* validity_ = nullptr;  // a bit for each row; null: all rows have a value
  std::vector<cell_reader> inside_;          // elements of a list or a map, or members of a struct
  std::vector<std::string> names_;           // of the members of a struct
};

}  // namespace tables
