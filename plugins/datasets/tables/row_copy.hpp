// Copies the wanted columns of a row that was read from JSON text.
#pragma once

#include <vector>

#include <inferbench/json_reader.hpp>

#include "data_file.hpp"

namespace tables {

/// Makes `out` an object with the wanted columns of `whole`, which must be an object. A column that
/// `whole` lacks is null, or left out if it may be missing. NaN and infinities, which Python's json
/// writes, become null. Returns false if a column is nested too deeply (limits.hpp).
[[nodiscard]] bool copy_columns(const ifb::json_value& whole,
                                const std::vector<wanted_column>& columns, ifb::json_document& out);

}  // namespace tables
