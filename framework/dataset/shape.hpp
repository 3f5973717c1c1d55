// Whether a sample is what its shape says, so that no codec has to ask.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::dataset {

/// Null when parts, messages and kinds fit the shape; otherwise what is wrong, a
/// clause. Looks at no content.
[[nodiscard]] const char* wrong_with(const ifb_sample& sample) noexcept;

}  // namespace inferbench::dataset
