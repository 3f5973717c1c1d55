// DuckDB's shared library for the tests, which is not part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace inferbench::support {

/// Returns the path at which the tests look for the library: $INFERBENCH_DUCKDB, or the path to
/// which tests/tools/fetch_duckdb downloads it.
inline std::filesystem::path duckdb_file() {
  const char* const set = std::getenv("INFERBENCH_DUCKDB");
  if (set != nullptr && *set != '\0') return set;
  return std::filesystem::path(INFERBENCH_BINARY).parent_path().parent_path() / "duckdb" /
         "libduckdb.so";
}

/// Lets this process, and the programs that it starts, use the library. Returns whether it exists.
inline bool use_duckdb() {
  const std::filesystem::path file = duckdb_file();
  if (!std::filesystem::exists(file)) return false;
  ::setenv("INFERBENCH_DUCKDB", file.c_str(), 1);
  return true;
}

/// For a test that needs the library: skips the test without it, or fails if it is required.
#define INFERBENCH_NEEDS_DUCKDB()                                           \
  if (!::inferbench::support::use_duckdb()) {                               \
    const char* const required = std::getenv("INFERBENCH_REQUIRE_DUCKDB");  \
    if (required != nullptr && std::string_view(required) == "1")           \
      FAIL() << ::inferbench::support::duckdb_file()                        \
             << " does not exist; tests/tools/fetch_duckdb fetches it";     \
    GTEST_SKIP() << ::inferbench::support::duckdb_file()                    \
                 << " does not exist; tests/tools/fetch_duckdb fetches it"; \
  }                                                                         \
  static_assert(true, "a semicolon must follow")

}  // namespace inferbench::support
