// One in-memory database of DuckDB, as the reader of files. It loads no extensions, uses one thread
// (the caller's) and a bounded amount of memory, and writes nothing outside the files that it is
// told.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>

#include "cells.hpp"
#include "duckdb_api.hpp"

namespace tables {

/// A statement that DuckDB refused or could not carry out. The message is DuckDB's first line.
class query_failure : public ifb::failure {
 public:
  query_failure(const std::string& message, bool lacked_memory)
      : failure(IFB_E_DATA, message, "path"), lacked_memory_(lacked_memory) {}
  [[nodiscard]] bool lacked_memory() const noexcept { return lacked_memory_; }

 private:
  bool lacked_memory_;
};

/// A column of a query: its name, and the SQL type in which its values have a form for JSON; the
/// type is empty if they already have this form. `byte_count` is the SQL expression for the size of
/// a value, or empty (json_types.hpp).
struct query_column {
  std::string name;
  std::string json_type;
  std::string byte_count;
};

/// The rows of a query, in chunks. The cells of a chunk are valid until the next call of next().
class query_result {
 public:
  query_result(const duckdb::functions& api, duckdb::result result) : api_(&api), result_(result) {}
  query_result(query_result&& from) noexcept
      : api_(from.api_), result_(from.result_), chunk_(from.chunk_) {
    from.result_ = {};
    from.chunk_ = nullptr;
  }
  query_result(const query_result&) = delete;
  query_result& operator=(const query_result&) = delete;
  ~query_result();

  /// Moves to the next chunk. Returns its number of rows; 0 after the last chunk.
  [[nodiscard]] std::uint64_t next();
  [[nodiscard]] cell_reader cells(std::uint64_t column) const {
    return {*api_, api_->data_chunk_get_vector(chunk_, column)};
  }
  [[nodiscard]] std::vector<query_column> columns();

 private:
  const duckdb::functions* api_;
  duckdb::result result_;
  duckdb::chunk chunk_ = nullptr;
};

/// May be used by only one thread at a time.
class database {
 public:
  /// Throws ifb::failure if DuckDB cannot start.
  database(const duckdb::functions& api, ifb::host host);
  database(const database&) = delete;
  database& operator=(const database&) = delete;
  ~database();

  /// From now on only these files can be read and written. Can be called once.
  void confine(std::span<const std::string> files);

  /// Carries out one statement. Throws query_failure, and ifb::failure (IFB_E_CANCELLED) if the run
  /// is being stopped.
  query_result query(const std::string& sql);

  /// Lets DuckDB use more memory (limits.hpp) and writes a line about `why` to the log. Returns
  /// false if it already may.
  bool raise_memory_limit(const std::string& why);

 private:
  // The public constructor delegates to this one, so that the destructor runs if it throws.
  database(ifb::host host, const duckdb::functions* api) noexcept : api_(api), host_(host) {}

  const duckdb::functions* api_;
  ifb::host host_;
  duckdb::database database_ = nullptr;
  duckdb::connection connection_ = nullptr;
  bool raised_ = false;
};

/// Returns the text as a literal of SQL: 'it''s'.
[[nodiscard]] std::string sql_text(std::string_view text);
/// Returns the name of a column as an identifier of SQL: "a ""name""".
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace tables
