// Lines of comma-separated values. Quotes as in RFC 4180; a line ends with "\n".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reporters {

/// Collects the cells of lines. For one thread.
class csv_lines {
 public:
  /// A text of this program, such as the name of a column.
  void name(std::string_view text);
  /// A text of a server or a user. Malformed UTF-8 and zero bytes become U+FFFD. A text that a
  /// spreadsheet would run as a formula, because it begins with "=", "+", "-", "@", a tab or a
  /// carriage return, gets an apostrophe before it.
  void text(std::string_view text);
  void number(std::int64_t value);
  void number(double value);  // an infinite number is "inf"; NaN is an empty cell
  void ms(std::optional<std::int64_t> ns);
  void empty() { begin_cell(); }
  void end_line();

  [[nodiscard]] const std::string& all() const noexcept { return out_; }
  void clear() { out_.clear(); }

 private:
  void begin_cell();
  void quoted(std::string_view text);

  std::string out_;
  bool first_ = true;  // the next cell is the first cell of its line
};

}  // namespace reporters
