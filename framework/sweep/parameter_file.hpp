// Reads the parameter files of --serve-params and --bench-params.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweep/item.hpp"

namespace inferbench::sweep {

/// The combinations of a file: a list of objects, or an object whose keys become
/// `_benchmark_name`. Throws base::error with file, line, column and key for a file that cannot be
/// read, malformed JSON, another form, a key that is no option, and two combinations with the same
/// name.
[[nodiscard]] std::vector<item> read_parameters(const std::string& path);

/// The combinations of the text of such a file. `file`: its name for messages.
[[nodiscard]] std::vector<item> parse_parameters(std::string_view text, const std::string& file);

}  // namespace inferbench::sweep
