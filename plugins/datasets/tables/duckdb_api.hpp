// DuckDB's C API, as far as this library uses it: types, and a table of pointers to the functions.
// The library is loaded at run time, so neither DuckDB nor its header is needed to build. Names are
// DuckDB's names without the prefix "duckdb_"; duckdb.h documents them.
#pragma once

#include <cstdint>
#include <cstring>

namespace tables::duckdb {

using index = std::uint64_t;
using database = struct database_object*;
using connection = struct connection_object*;
using settings = struct settings_object*;  // duckdb_config
using statement = struct statement_object*;
using execution = struct execution_object*;  // duckdb_pending_result
using chunk = struct chunk_object*;
using vector = struct vector_object*;
using logical_type = struct logical_type_object*;

/// A struct that DuckDB fills; its owner must pass it to destroy_result.
struct result {
  index unused[3];
  void* unused_columns;
  char* unused_message;
  void* content;
};

enum state : int { success = 0, failed = 1 };
enum execution_state : int { ready = 0, not_ready = 1, execution_failed = 2, no_tasks = 3 };

enum type : int {
  type_boolean = 1,
  type_tinyint = 2,
  type_smallint = 3,
  type_integer = 4,
  type_bigint = 5,
  type_utinyint = 6,
  type_usmallint = 7,
  type_uinteger = 8,
  type_ubigint = 9,
  type_float = 10,
  type_double = 11,
  type_hugeint = 16,
  type_varchar = 17,
  type_blob = 18,
  type_decimal = 19,
  type_list = 24,
  type_struct = 25,
  type_map = 26,
  type_uhugeint = 32,
  type_array = 33,
};

/// A string or blob in a vector: up to 12 bytes, or the first 4 bytes and a pointer to all.
struct text {
  std::uint32_t length;
  char bytes[12];

  [[nodiscard]] const char* data() const noexcept {
    if (length <= sizeof bytes) return bytes;
    const char* all = nullptr;
    std::memcpy(static_cast<void*>(&all), bytes + 4, sizeof all);
    return all;
  }
};
static_assert(sizeof(text) == 16);

struct list_entry {
  std::uint64_t offset;
  std::uint64_t length;
};

struct functions {
  const char* (*library_version)();

  state (*create_config)(settings* out);
  state (*set_config)(settings of, const char* name, const char* value);
  void (*destroy_config)(settings* of);
  state (*open_ext)(const char* path, database* out, settings with, char** error);
  void (*close)(database* of);
  state (*connect)(database to, connection* out);
  void (*disconnect)(connection* of);
  void (*free)(void* memory);

  state (*prepare)(connection on, const char* sql, statement* out);
  const char* (*prepare_error)(statement of);
  void (*destroy_prepare)(statement* of);

  state (*pending_prepared)(statement of, execution* out);
  execution_state (*pending_execute_task)(execution of);
  const char* (*pending_error)(execution of);
  state (*execute_pending)(execution of, result* out);
  void (*destroy_pending)(execution* of);

  index (*column_count)(result* of);
  const char* (*column_name)(result* of, index column);
  logical_type (*column_logical_type)(result* of, index column);
  const char* (*result_error)(result* of);
  void (*destroy_result)(result* of);
  chunk (*fetch_chunk)(result of);
  void (*destroy_data_chunk)(chunk* of);
  index (*data_chunk_get_size)(chunk of);
  vector (*data_chunk_get_vector)(chunk of, index column);

  logical_type (*vector_get_column_type)(vector of);
  void* (*vector_get_data)(vector of);
  std::uint64_t* (*vector_get_validity)(vector of);
  vector (*list_vector_get_child)(vector of);
  vector (*struct_vector_get_child)(vector of, index member);

  type (*get_type_id)(logical_type of);
  logical_type (*list_type_child_type)(logical_type of);
  logical_type (*array_type_child_type)(logical_type of);
  logical_type (*map_type_value_type)(logical_type of);
  index (*struct_type_child_count)(logical_type of);
  char* (*struct_type_child_name)(logical_type of, index member);
  logical_type (*struct_type_child_type)(logical_type of, index member);
  void (*destroy_logical_type)(logical_type* of);
};

}  // namespace tables::duckdb
