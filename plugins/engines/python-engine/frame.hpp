// Frames of docs/engine-protocol.md: a header of 8 bytes (length, kind, three zero bytes) and a
// payload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>

namespace python_engine {

enum class frame_kind : std::uint8_t {
  hello = 1,
  load,
  ping,
  run,
  items,
  go,
  cancel,
  profile,
  bye,
  submit,
  abort,
  welcome = 65,
  ready,
  pong,
  began,
  tokens,
  ended,
  results,
  done,
  profiled,
  log,
  progress,
  error,
  text,
  finished
};

/// The name of the protocol page, or "kind 200" for an unknown kind.
[[nodiscard]] std::string name_of(frame_kind kind);

inline constexpr std::size_t frame_header_size = 8;
inline constexpr std::uint32_t largest_payload = 1U << 28U;

/// A frame of the worker.
struct frame {
  frame_kind kind = frame_kind::error;
  std::uint64_t number = 0;  // the worker's first frame has number 1
  std::uint64_t arrived_ns = 0;
  std::string payload;
};

/// The worker does not follow the protocol: IFB_E_PROTOCOL with a message such as
/// "frame 7 (results): results[3].prompt_tokens: not an integer".
[[nodiscard]] ifb::failure violation(const frame& in, const std::string& what);

/// Little-endian numbers. `at` + size must lie in `bytes`.
[[nodiscard]] std::uint64_t read_number(std::string_view bytes, std::size_t at, std::size_t size);
void append_number(std::string& out, std::uint64_t value, std::size_t size);

/// The header of a frame of the host. Throws failure with IFB_E_UNSUPPORTED if the payload is too
/// long.
[[nodiscard]] std::string frame_header(frame_kind kind, std::size_t payload_size);

/// Splits the bytes that come from the worker into frames, however they are cut. Used by one thread
/// at a time.
class frame_splitter {
 public:
  /// Takes bytes from the front of `bytes` until a frame is complete, and returns this frame;
  /// nullopt if more bytes are needed. A long payload takes memory only as its bytes arrive. Throws
  /// failure (violation) for a length above the limit, a byte that must be 0, and a kind that is
  /// unknown or belongs to the host; after this the splitter must not be used.
  [[nodiscard]] std::optional<frame> next(std::string_view& bytes);
  /// Empty if the bytes so far are whole frames; otherwise for example
  /// "frame 3 (results): the socket ended after 10 of 200 bytes of the payload".
  [[nodiscard]] std::string cut_frame() const;

 private:
  void read_header();

  std::string header_;
  frame now_{};
  std::size_t wanted_ = 0;
  std::uint64_t frames_ = 0;
};

}  // namespace python_engine
