#pragma once

#include "cutter.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// "Isolated" and so on. Throws ifb::failure naming the path.
[[nodiscard]] behavior read_behavior(const node& from);

}  // namespace tokenizers::hf
