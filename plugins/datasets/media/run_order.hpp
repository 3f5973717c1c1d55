// Work on the rows of a run before the run begins.
#pragma once

#include <cstdint>
#include <functional>

#include <inferbench/abi.h>

namespace row_media {

/// Calls `work` for the rows that the run reads, in its order: the host shuffles `rows` rows with
/// the seed of the request, unless they keep their order, and takes as many as are wanted. Up to
/// `threads` threads call `work` at the same time; the calling thread is one of them. When `work`
/// returns false, no further rows are begun. If it throws, no further rows are begun either, and
/// the exception of the row that comes first in the order is thrown here.
void for_rows_of_run(const ifb_dataset_request& request, std::uint64_t rows, unsigned threads,
                     const std::function<bool(std::uint64_t row)>& work);

}  // namespace row_media
