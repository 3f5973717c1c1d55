// The size of a request before it is serialised, and the samples that are so large that another
// thread serialises them (serialiser.hpp).
#pragma once

#include <cstddef>

#include <inferbench/abi.h>

namespace inferbench::client {

/// The least number of bytes in the body of a large sample. Smaller samples are serialised on the
/// worker's thread, because handing a request to another thread and back takes time, too.
inline constexpr std::size_t large_sample_bytes = std::size_t{64} * 1024;

/// About the number of bytes that the prompt, the messages and the media take in a body: the bytes
/// of an image, a video or sound in base64, all others as they are. Only counts bytes, so it takes
/// some nanoseconds for each part. Any thread.
[[nodiscard]] std::size_t body_bytes(const ifb_sample& sample) noexcept;

/// Whether a sample with this number of body_bytes() is large.
[[nodiscard]] inline bool is_large(std::size_t body) noexcept { return body >= large_sample_bytes; }

}  // namespace inferbench::client
