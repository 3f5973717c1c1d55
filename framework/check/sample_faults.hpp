// Faults in the samples that a dataset hands out. The host and the backends rely on their absence.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/abi.h>

#include "check/outcome.hpp"

namespace inferbench::check {

/// The faults of a sample. Each text is a clause such as "output_tokens is -5". `flags`: the flags
/// of the dataset (ifb_dataset_flag).
[[nodiscard]] std::vector<finding> faults_of(const ifb_sample& sample, std::uint32_t flags);

}  // namespace inferbench::check
