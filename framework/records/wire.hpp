// The binary form of the messages in a journal's frames: the wire format of Protocol Buffers, so
// that fields can be added and other programs can read it. Fields and their numbers:
// docs/journal-format.md. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "client/record.hpp"
#include "records/journal.hpp"
#include "records/observation.hpp"

namespace inferbench::records {

inline constexpr std::string_view journal_magic{"\x89IFBJ\r\n\x1a", 8};
inline constexpr std::uint32_t journal_version = 1;
inline constexpr std::size_t preamble_bytes = 12;   // magic bytes and version
inline constexpr std::size_t frame_head_bytes = 8;  // length and checksum
/// The length of the longest frame. A frame with a greater length is damaged.
inline constexpr std::uint32_t most_frame_bytes = 1U << 28U;

enum class frame_kind : std::uint8_t { run = 1, record = 2, end = 3, observation = 4 };

/// Appends the encoded message to `out`.
void encode(std::string& out, const run_information& run);
void encode(std::string& out, const client::record& record);
void encode(std::string& out, const run_end& end);
void encode(std::string& out, const observation& what);

/// Decodes a message. Returns false if `in` is not a valid message of this type; in that case `out`
/// is in an unspecified state. A member whose field is missing gets its default. Unknown fields are
/// skipped. Memory is bounded by a small multiple of in.size().
[[nodiscard]] bool decode(std::string_view in, run_information& out);
[[nodiscard]] bool decode(std::string_view in, client::record& out);
[[nodiscard]] bool decode(std::string_view in, run_end& out);
[[nodiscard]] bool decode(std::string_view in, observation& out);

/// Appends kind and message as one frame. Returns false and does not change `out` if the frame
/// would be longer than most_frame_bytes.
template <typename message>
[[nodiscard]] bool append_frame(std::string& out, frame_kind kind, const message& what);

/// The checksum of a frame: over the length field as it is written, followed by the payload.
[[nodiscard]] std::uint32_t frame_checksum(std::string_view payload) noexcept;

/// Writes and reads 4 bytes in little-endian order.
void put_u32(char* at, std::uint32_t value) noexcept;
[[nodiscard]] std::uint32_t get_u32(const char* at) noexcept;

}  // namespace inferbench::records
