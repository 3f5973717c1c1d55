// Checks whether a sample agrees with its shape, so that codecs need not check this.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::dataset {

/// Null if parts, messages and kinds fit the shape; otherwise a clause that describes the mistake.
/// Does not read the contents of parts and messages.
[[nodiscard]] const char* wrong_with(const ifb_sample& sample) noexcept;

}  // namespace inferbench::dataset
