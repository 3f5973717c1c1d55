// Parses server-sent events incrementally, without I/O; no allocation once the buffer has the size
// of the largest event that was cut by a read. One object serves one answer after another. One
// thread at a time.
//
// The format is WHATWG's: lines end in LF, CR or CRLF; a byte-order mark is skipped; data lines are
// joined by LF; comments, id, retry and unknown fields are ignored; an empty line ends an event; an
// event without a data line is ignored. Extensions for existing servers:
// - a line with no known field name belongs to the data while the JSON value in the data is
//   unfinished (pretty-printed JSON), or if the line begins with { and the event has no data yet
//   (JSON without any field name);
// - the end of the stream ends the last line and the last event.
//
// Time: an event carries the stamp of the read that brought the last byte of its last data line.
// Line end and empty line may arrive later; the event is returned when the empty line is there (or
// the stream ends), with the earlier stamp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "transport/json_extent.hpp"

namespace inferbench::transport {

/// Views are valid until the next call of the parser, and no longer than the input.
struct sse_event {
  std::string_view name;  // empty: "message"
  std::string_view data;
  std::uint64_t stamp = 0;
};

class sse_parser {
 public:
  /// `max_bytes`: limit of one event and of one line.
  explicit sse_parser(std::size_t max_bytes = 16 * 1024 * 1024) : limit_(max_bytes) {}

  /// Prepares for the next stream; keeps a buffer of ordinary size.
  void begin() noexcept;

  /// Takes the next event from the front of `input`; false if `input` is used up. `stamp` is the
  /// stamp of the read that brought `input`.
  [[nodiscard]] bool next(std::string_view& input, std::uint64_t stamp, sse_event& out);
  /// The stream has ended: returns true once if there was a last event. begin() must follow.
  [[nodiscard]] bool finish(sse_event& out);

  /// A line or an event exceeded the limit: input is dropped until begin().
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  // True when the line ends an event that has data.
  [[nodiscard]] bool take_usual(std::string_view& input, std::uint64_t stamp, sse_event& out);
  bool take_line(std::string_view line, bool in_buffer, std::uint64_t stamp);
  void add_data(std::string_view value, bool in_buffer, std::uint64_t stamp);
  [[nodiscard]] std::string_view data() const noexcept;
  void own_data();
  void give(sse_event& out) noexcept;
  void forget() noexcept;
  void skip_mark(std::string_view& input, std::uint64_t stamp);
  [[nodiscard]] bool continues_json();
  /// Whether the event with `size` more bytes exceeds the limit; sets failed_ then.
  bool too_long(std::size_t size) noexcept;

  std::size_t limit_;
  // buffer_ = the copied data of the event, [0, owned_), then the bytes of an incomplete line.
  std::string buffer_;
  std::size_t owned_ = 0;
  std::string_view view_;  // the data while it is one line of the current input
  std::string name_;
  json_extent extent_;  // of the data up to measured_
  std::size_t measured_ = 0;
  std::uint64_t data_stamp_ = 0;
  std::uint64_t line_stamp_ = 0;  // of the bytes of the incomplete line
  std::uint8_t mark_ = 0;         // bytes of the byte-order mark seen; 3: done
  bool has_data_ = false;
  bool is_view_ = false;
  bool given_ = false;    // the event returned last is to be discarded
  bool skip_lf_ = false;  // the previous line ended in CR
  bool failed_ = false;
};

}  // namespace inferbench::transport
