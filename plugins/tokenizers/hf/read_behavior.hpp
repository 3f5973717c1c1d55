#pragma once

#include "cutter.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Reads "Isolated" and the other behaviours. Throws ifb::failure that names the path.
[[nodiscard]] behavior read_behavior(const node& from);

}  // namespace tokenizers::hf
