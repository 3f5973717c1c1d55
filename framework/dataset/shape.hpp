// Checks whether a sample agrees with its shape, so that no codec has to check.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::dataset {

/// Null if parts, messages and kinds fit the shape; otherwise a clause that says what is wrong.
/// Looks at no content.
[[nodiscard]] const char* wrong_with(const ifb_sample& sample) noexcept;

}  // namespace inferbench::dataset
