// Rows of comma-separated values (RFC 4180). Lines end in LF or CRLF; empty lines are skipped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Walks over the rows of a text, which must outlive it. One thread.
class csv_walk {
 public:
  explicit csv_walk(std::string_view text);

  /// Moves to the next row; returns false after the last row. A quote that is not closed extends to
  /// the end of the text.
  [[nodiscard]] bool next();

  /// The cells of the row; valid until next().
  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }
  /// The number of the row's first line, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// Returns the number of bytes read so far.
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }

 private:
  void read_row();
  void read_field(std::string& out);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t lines_ = 1;  // number of lines that have begun
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
};
