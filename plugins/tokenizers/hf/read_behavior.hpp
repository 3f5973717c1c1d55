#pragma once

#include "cutter.hpp"
#include "node.hpp"

namespace hf {

/// "Isolated" and so on. Throws ifb::failure naming the path.
[[nodiscard]] behavior read_behavior(const node& from);

}  // namespace hf
