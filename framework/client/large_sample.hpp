// Finds the samples that are so large that another thread serialises them (serialiser.hpp).
#pragma once

#include <cstddef>

#include <inferbench/abi.h>

namespace inferbench::client {

/// The least number of bytes in the parts of a large sample. Smaller samples are serialised on the
/// worker's thread, because handing a request to another thread and back takes time, too.
inline constexpr std::size_t large_sample_bytes = std::size_t{64} * 1024;

/// Whether the contents of the prompt, the messages and the media have large_sample_bytes or more
/// in sum. Only counts bytes, so it takes some nanoseconds for each part. Any thread.
[[nodiscard]] bool is_large(const ifb_sample& sample) noexcept;

}  // namespace inferbench::client
