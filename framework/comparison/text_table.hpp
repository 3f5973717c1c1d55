// A table in columns of text for the console. Pure function.
#pragma once

#include <string>
#include <vector>

namespace inferbench::comparison {

/// The rows as lines without line ends. All rows have as many cells as the first. The first and the
/// last column begin at the left, the others end at the right; two blanks lie between the columns.
[[nodiscard]] std::vector<std::string> table_lines(
    const std::vector<std::vector<std::string>>& rows);

}  // namespace inferbench::comparison
