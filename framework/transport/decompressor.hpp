// Decodes the body of an answer with Content-Encoding gzip or deflate while it arrives. Code
// without I/O; one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace inferbench::transport {

class decompressor {
 public:
  enum class outcome : std::uint8_t {
    more,   // the input is used up
    data,   // `out` contains decoded bytes
    failed  // error() contains the reason; the state stays until begin()
  };

  /// Whether this class can decode the Content-Encoding `coding`: "gzip", "x-gzip" or "deflate".
  [[nodiscard]] static bool knows(std::string_view coding) noexcept;

  decompressor();
  decompressor(const decompressor&) = delete;
  decompressor& operator=(const decompressor&) = delete;
  ~decompressor();

  /// Prepares for the next body. knows(coding) must be true. Throws std::bad_alloc if there is not
  /// enough memory.
  void begin(std::string_view coding);

  /// Decodes bytes from the front of `input` and removes them. `out` is valid until the next call.
  /// While the outcome is `data`, call this again with the rest of `input`, even if the rest is
  /// empty.
  [[nodiscard]] outcome next(std::string_view& input, std::string_view& out);

  /// True if the body has been decoded to its end. If false after all input, the body was cut
  /// short.
  [[nodiscard]] bool complete() const noexcept;
  /// The error as a clause: "the gzip body is damaged: invalid block type". Empty unless the
  /// outcome was `failed`.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::string error_;
};

}  // namespace inferbench::transport
