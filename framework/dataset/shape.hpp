// Checks whether a sample agrees with its shape, so that codecs need not check this.
#pragma once

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// Null if parts, messages and kinds fit the shape; otherwise a clause that describes the mistake.
/// Does not read the contents of parts and messages.
[[nodiscard]] const char* wrong_with(const ifb_sample& sample) noexcept;

/// Whether this host knows the shape of the prompt and the kinds of all its parts. A sample that
/// wrong_with() reports and that is not known may be correct for a later version of the contract.
[[nodiscard]] bool is_known(const ifb_sample& sample) noexcept;

/// Removes media of unknown kinds, which a host ignores. wrong_with() must have returned null. If
/// the arena has no memory, the sample loses all its media.
void drop_unknown_media(sample& from) noexcept;

}  // namespace inferbench::dataset
