// The form that values of a Parquet file get in JSON.
#pragma once

#include <string>

#include "duckdb_api.hpp"

namespace tables {

/// Returns the SQL type to which DuckDB must cast a column so that cell_reader can read it; empty
/// if no cast is needed. Truth values, integers of up to 64 bits, floating-point numbers, texts and
/// binary values stay; other numbers become DOUBLE, and dates, times and all other values become
/// text. This also holds inside lists, structs and maps.
[[nodiscard]] std::string json_type(const duckdb::functions& api, duckdb::logical_type type);

/// Returns the SQL expression for the number of bytes of the texts and binary values in `value`, an
/// expression of the type `type`. Elements of lists and maps are not counted. Empty if there is
/// nothing to count.
[[nodiscard]] std::string byte_count(const duckdb::functions& api, duckdb::logical_type type,
                                     const std::string& value);

}  // namespace tables
