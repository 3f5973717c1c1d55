// Splits an answer into lines (NDJSON), incrementally, without I/O. Lines end in LF or CRLF; empty
// lines are skipped. One thread at a time.
//
// A line has the stamp of the read with its last byte before the line ending, like events in
// sse.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferbench::transport {

/// `text` is valid until the next call of the parser, but not longer than the input.
struct text_line {
  std::string_view text;
  std::uint64_t stamp = 0;
};

class line_parser {
 public:
  explicit line_parser(std::size_t max_bytes = 16 * 1024 * 1024) : limit_(max_bytes) {}

  /// Prepares for the next stream. A buffer of ordinary size is kept.
  void begin() noexcept;

  /// Takes the next line from the front of `input`. Returns false if `input` is used up.
  [[nodiscard]] bool next(std::string_view& input, std::uint64_t stamp, text_line& out);
  /// Call this when the stream has ended. Returns true once, if there was a last line without a
  /// line ending.
  [[nodiscard]] bool finish(text_line& out);

  /// True if a line exceeded the limit. In that case input is dropped until begin().
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  std::size_t limit_;
  std::string buffer_;  // an incomplete line
  std::uint64_t stamp_ = 0;
  bool given_ = false;
  bool failed_ = false;
};

}  // namespace inferbench::transport
