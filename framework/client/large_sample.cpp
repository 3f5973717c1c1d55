#include "client/large_sample.hpp"

#include <inferbench/views.hpp>

namespace inferbench::client {

namespace {

/// Whether a protocol of JSON sends the bytes of such a part in base64.
bool is_binary(const ifb_part& part) noexcept {
  return part.kind == IFB_PART_IMAGE || part.kind == IFB_PART_AUDIO ||
         part.kind == IFB_PART_VIDEO || part.kind == IFB_PART_FILE;
}

std::size_t bytes_of(const ifb_part_list& parts) noexcept {
  std::size_t sum = 0;
  for (const ifb_part& one : ifb::view(parts)) {
    const std::size_t bytes = one.data.size;
    sum += one.uri.size + (is_binary(one) ? bytes + bytes / 3 : bytes);
  }
  return sum;
}

}  // namespace

std::size_t body_bytes(const ifb_sample& sample) noexcept {
  std::size_t sum = bytes_of(sample.prompt) + bytes_of(sample.media);
  for (const ifb_message& one : ifb::view(sample.messages))
    sum += one.json.size + bytes_of(one.parts);
  return sum;
}

}  // namespace inferbench::client
