// Many samples in little memory, for benchmarks that keep all of them.
#pragma once

#include "base/arena.hpp"
#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// The sample without the unused memory of its arena: a copy whose contents are in `memory`, which
/// must outlive it. Contents that are in the dataset's instance are not copied. A sample whose
/// arena is large is returned unchanged, because the copy would cost more than it saves, and so is
/// a sample that does not fit into `memory`.
[[nodiscard]] sample_ptr compacted(sample_ptr from, base::arena& memory);

}  // namespace inferbench::dataset
