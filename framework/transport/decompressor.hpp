// Decodes the body of an answer in Content-Encoding gzip or deflate as it arrives. Code without
// I/O; one thread at a time.
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
    data,   // `out` holds decoded bytes
    failed  // error() says why; final until begin()
  };

  /// Whether it can decode a body with that Content-Encoding: "gzip", "x-gzip" or "deflate".
  [[nodiscard]] static bool knows(std::string_view coding) noexcept;

  decompressor();
  decompressor(const decompressor&) = delete;
  decompressor& operator=(const decompressor&) = delete;
  ~decompressor();

  /// Prepares for the next body. `coding` must satisfy knows(). Throws std::bad_alloc.
  void begin(std::string_view coding);

  /// Decodes from the front of `input`. `out` is valid until the next call. While the outcome is
  /// data, call again with the rest of `input`, even if it is empty.
  [[nodiscard]] outcome next(std::string_view& input, std::string_view& out);

  /// The body has been decoded to its end; a body that stops before that is cut short.
  [[nodiscard]] bool complete() const noexcept;
  /// A clause, "the gzip body is damaged: invalid block type"; empty unless failed.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::string error_;
};

}  // namespace inferbench::transport
