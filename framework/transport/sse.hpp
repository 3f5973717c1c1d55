// Parses server-sent events incrementally, without I/O. Allocates only until the buffer has the
// size of the largest event that was split between reads. One object serves one answer after
// another. One thread at a time.
//
// The format is WHATWG's: lines end in LF, CR or CRLF; a byte-order mark is skipped; data lines are
// joined by LF; comments, id, retry and unknown fields are ignored; an empty line ends an event; an
// event without a data line is ignored. Extensions for existing servers:
// - a line without a known field name belongs to the data in two cases: the JSON value in the
//   data is unfinished (pretty-printed JSON), or the line begins with { and the event has no data
//   yet (JSON without any field name);
// - the end of the stream also ends the last line and the last event.
//
// Time: an event has the stamp of the read with the last byte of its last data line. The line
// ending and the empty line may arrive later. The event is returned after the empty line has
// arrived or the stream has ended, but with the earlier stamp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "transport/json_extent.hpp"

namespace inferbench::transport {

/// One event. The views are valid until the next call of the parser, but not longer than the input.
struct sse_event {
  std::string_view name;  // empty: "message"
  std::string_view data;
  std::uint64_t stamp = 0;
};

class sse_parser {
 public:
  /// `max_bytes` limits the size of one event and of one line.
  explicit sse_parser(std::size_t max_bytes = 16 * 1024 * 1024) : limit_(max_bytes) {}

  /// Prepares for the next stream. A buffer of ordinary size is kept.
  void begin() noexcept;

  /// Takes the next event from the front of `input`. Returns false if `input` is used up. `stamp`
  /// is the stamp of the read that returned `input`.
  [[nodiscard]] bool next(std::string_view& input, std::uint64_t stamp, sse_event& out);
  /// Call this when the stream has ended. Returns true once, if there was a last event. Call
  /// begin() before the next stream.
  [[nodiscard]] bool finish(sse_event& out);

  /// True if a line or an event exceeded the limit. In that case input is dropped until begin().
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  // take_usual() returns true if it took a whole event; take_line() returns true if the line ends
  // an event that has data.
  [[nodiscard]] bool take_usual(std::string_view& input, std::uint64_t stamp, sse_event& out);
  bool take_line(std::string_view line, bool in_buffer, std::uint64_t stamp);
  void add_data(std::string_view value, bool in_buffer, std::uint64_t stamp);
  [[nodiscard]] std::string_view data() const noexcept;
  void own_data();
  void give(sse_event& out) noexcept;
  void forget() noexcept;
  void skip_mark(std::string_view& input, std::uint64_t stamp);
  [[nodiscard]] bool continues_json();
  /// Whether the event would exceed the limit with `size` more bytes. If it would, sets failed_.
  bool too_long(std::size_t size) noexcept;

  std::size_t limit_;
  // Contains the copied data of the event in [0, owned_), followed by the bytes of an incomplete
  // line.
  std::string buffer_;
  std::size_t owned_ = 0;
  std::string_view view_;  // the data, if it is one line of the current input
  std::string name_;
  json_extent extent_;  // covers the data up to measured_
  std::size_t measured_ = 0;
  std::uint64_t data_stamp_ = 0;
  std::uint64_t line_stamp_ = 0;  // stamp of the bytes of the incomplete line
  std::uint8_t mark_ = 0;         // number of bytes of the byte-order mark seen; 3: the check is
                                  // done
  bool has_data_ = false;
  bool is_view_ = false;
  bool given_ = false;    // the last returned event must be discarded
  bool skip_lf_ = false;  // the previous line ended in CR
  bool failed_ = false;
};

}  // namespace inferbench::transport
