// Values of run objects: as columns of a table, as numbers, as texts. Pure functions; views and
// pointers are valid as long as the run_table.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"

namespace inferbench::plot {

/// The value of exactly this key. nullptr: the key is missing, or the value is null or NaN, which
/// mean the same in a column.
[[nodiscard]] const base::json_value* value_of(const run_row& row, std::string_view key);

/// The value, also null, of the key, of the key with "_" as "-", or of the key with "-" as "_".
[[nodiscard]] const base::json_value* value_of_any_spelling(const run_row& row,
                                                            std::string_view key);

/// A number; 0 or 1 for a boolean; nullopt for every other value and for nullptr.
[[nodiscard]] std::optional<double> number_of(const base::json_value* value) noexcept;

/// Python's text of the value; "None" for nullptr.
[[nodiscard]] std::string text_of_value(const base::json_value* value);

/// All keys of the rows, in the order of their first appearance.
[[nodiscard]] std::vector<std::string> columns_of(std::span<const run_row> rows);

/// Throws base::error if `key` is none of the columns: with a similar name, if there is one, and
/// with all of them. `flag`: the position.
void require_column(const std::vector<std::string>& columns, const std::string& key,
                    const std::string& flag);

/// Whether the server did not keep up: the request rate of the run is finite and more than 5 %
/// above the rate at which requests were answered (`request_throughput`).
[[nodiscard]] bool unstable(const run_row& row);

/// Whether no request of the run was completed: `completed` is 0, so its latencies and throughputs
/// are 0 for want of values. False for a run without the key.
[[nodiscard]] bool without_completion(const run_row& row);

/// "SERVE--x-BENCH--y/summary.json: run 2", for messages.
[[nodiscard]] std::string place_of(const run_row& row);

}  // namespace inferbench::plot
