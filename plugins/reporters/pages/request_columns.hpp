// The rows of a page: a few numbers for each request, kept column by column in the form of the page
// (docs/page-data.md), about 35 bytes per request. For one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reporters {

/// The columns, in the order of the page. Times are in us. `start` is relative to the start of the
/// run, all other times are relative to `start`.
enum class column : std::uint8_t {
  sequence,
  start,
  due,  // how long before `start` the request was due
  sent,
  first_byte,
  first,  // first event
  first_text,
  last,  // last event
  end,
  input,
  output,
  cached,
  reasoning,
  events,
  status,  // 0: success; otherwise the negated ifb_status
  http,
  turn,
  session,  // this and the next columns: the number of a text; 0: none
  server,
  class_name,
  error,
  finish_reason,
  longest_gap,
  gaps_low,  // number of gaps of each class
  gaps_mid,
  gaps_high,
};
inline constexpr std::size_t column_count = 26;

/// `delta`: signed, and stored as the difference from the row before. `optional`: 0 if the value is
/// missing, otherwise the value plus 1. `plain`: the value.
enum class column_type : std::uint8_t { delta, plain, optional };
/// `other`: if it is set, a page has the differences from the values of this earlier column in the
/// same row, which are smaller numbers. A missing value of `other` counts as 0.
struct column_format {
  const char* name;
  column_type type;
  bool time = false;  // in us
  std::optional<column> other = std::nullopt;
};
[[nodiscard]] std::span<const column_format, column_count> column_formats() noexcept;
[[nodiscard]] const char* name_of(column_type type) noexcept;

/// The values of one row, in the form of their type, except that a `delta` value is the number
/// itself in two's complement.
class request_row {
 public:
  [[nodiscard]] std::uint64_t& operator[](column c) noexcept {
    return values_[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] const std::array<std::uint64_t, column_count>& values() const noexcept {
    return values_;
  }

 private:
  std::array<std::uint64_t, column_count> values_{};
};

class request_columns {
 public:
  using sink = std::function<void(std::string_view)>;

  void add(const request_row& row);
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }

  /// Returns the values of a column in the order of add(), in the form of request_row.
  [[nodiscard]] std::vector<std::uint64_t> values(column c) const;

  /// Removes the rows for which `wanted` is false; there is one value for each row.
  void keep_only(const std::vector<bool>& wanted);

  /// Passes the bytes of the page to `out`, column by column, with the rows in the given order.
  void write(std::span<const std::uint32_t> order, const sink& out) const;

 private:
  void append(std::size_t index, std::uint64_t value);

  std::size_t rows_ = 0;
  std::array<std::string, column_count> bytes_;
  std::array<std::uint64_t, column_count> before_{};  // the last value of each `delta` column
};

}  // namespace reporters
