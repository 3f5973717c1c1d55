// Rows of comma-separated values (RFC 4180; lines end in LF or CRLF, empty ones are no rows).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Walks over a text, which must outlive it. One thread.
class csv_walk {
 public:
  explicit csv_walk(std::string_view text);

  /// Moves to the next row; false after the last. A quote that is not closed ends with the text.
  [[nodiscard]] bool next();

  /// The cells of the row; valid until next().
  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }
  /// The number of the row's first line, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// Bytes read so far.
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }

 private:
  void read_row();
  void read_field(std::string& out);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t lines_ = 1;  // lines begun so far
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
};
