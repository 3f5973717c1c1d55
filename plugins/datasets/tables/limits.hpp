// The limits of the readers in this folder.
#pragma once

#include <cstdint>

namespace tables {

/// The maximum size of a row's values, in bytes. A larger row is unfit (unfit_row.hpp).
inline constexpr std::uint64_t largest_row = 256ULL << 20U;

/// The maximum size of a line of a CSV file, in bytes.
inline constexpr std::uint64_t largest_line_of_csv = 16ULL << 20U;

/// Objects and lists in a row can be nested this deep, so that code that visits a row may use
/// recursion.
inline constexpr int deepest_row = 500;

/// The rows that are read in advance: their maximum number, and the maximum size of all of them in
/// bytes, computed from the average row.
inline constexpr std::uint64_t most_rows_ahead = 1024;
inline constexpr std::uint64_t most_bytes_ahead = 32ULL << 20U;

/// Several threads ask for positions a little out of order: at most by this many positions. Rows
/// that were read in advance, and that another thread may still ask for, are kept up to this size.
inline constexpr std::uint64_t most_out_of_order = 64;
inline constexpr std::uint64_t most_bytes_kept = 128ULL << 20U;

/// The maximum size of a file that a row names, in bytes. A larger file is not downloaded.
inline constexpr std::uint64_t largest_attached_file = 512ULL << 20U;

/// The memory that DuckDB may use, in megabytes. The first limit is enough for files that
/// Hugging Face's libraries write. The second limit is set, with a line in the log, when a file
/// needs more: DuckDB reads up to 2,048 rows at a time, and in some files this is a whole group of
/// large rows.
inline constexpr int usual_memory_mb = 450;
inline constexpr int most_memory_mb = 1000;

}  // namespace tables
