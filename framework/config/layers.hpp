// The TOML files of one run, laid one over the other: `inferbench run base.toml team.toml`.
#pragma once

#include <span>
#include <string>

#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::config {

/// Reads the files and joins them to one table. Tables are merged, and a value of a later file
/// replaces the value of an earlier file. [[reporter]] entries of a later file replace the entries
/// of the earlier files; if one of them contains `extend = true`, they are added to the earlier
/// entries. The result contains no key `extend`. Every value keeps its position in its own file.
/// Throws base::error for a file that cannot be read, and usage_error for TOML that is malformed,
/// an unknown table, and an `extend` that is neither true nor false.
[[nodiscard]] options::node read_layers(std::span<const std::string> paths,
                                        const options::environment& env);

}  // namespace inferbench::config
