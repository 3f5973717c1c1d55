#include "request_columns.hpp"

#include "varint.hpp"

namespace reporters {
namespace {

using column_type::delta;
using column_type::optional;
using column_type::plain;
constexpr std::array<column_format, column_count> formats{{
    {"sequence", delta},
    {"start", delta, true},
    {"due", plain, true},
    {"sent", optional, true},
    {"first_byte", optional, true},
    {"first", optional, true, column::first_byte},
    {"first_text", optional, true, column::first},
    {"last", optional, true},
    {"end", optional, true, column::last},
    {"input", optional},
    {"output", optional},
    {"cached", optional},
    {"reasoning", optional},
    {"events", plain, false, column::output},
    {"status", plain},
    {"http", plain},
    {"turn", plain},
    {"session", plain},
    {"server", plain},
    {"class", plain},
    {"error", plain},
    {"finish_reason", plain},
    {"longest_gap", plain, true},
    {"gaps_low", plain, false, column::events},
    {"gaps_mid", plain},
    {"gaps_high", plain},
}};
static_assert(static_cast<std::size_t>(column::gaps_high) + 1 == column_count);

constexpr std::size_t bytes_at_once = std::size_t{64} << 10U;

/// Returns the number to store for `value`, and makes it the value before the next one.
std::uint64_t coded(column_type type, std::uint64_t value, std::uint64_t& before) {
  if (type != delta) return value;
  const auto difference = static_cast<std::int64_t>(value - before);
  before = value;
  return zigzag(difference);
}

column_type type_of(column c) { return formats[static_cast<std::size_t>(c)].type; }

/// Returns the number of a value in the form of request_row; 0 for a missing value.
std::uint64_t number_of(column_type type, std::uint64_t value) {
  return type == optional && value != 0 ? value - 1 : value;
}

/// Returns the number to store for `value` beside `other`, a value of the other column.
std::uint64_t beside(column_type type, std::uint64_t value, std::uint64_t other) {
  const std::uint64_t code = zigzag(static_cast<std::int64_t>(number_of(type, value) - other));
  if (type != optional) return code;
  return value == 0 ? 0 : code + 1;
}

}  // namespace

std::span<const column_format, column_count> column_formats() noexcept { return formats; }

const char* name_of(column_type type) noexcept {
  return type == delta ? "delta" : type == plain ? "plain" : "optional";
}

void request_columns::append(std::size_t index, std::uint64_t value) {
  append_varint(bytes_[index], coded(formats[index].type, value, before_[index]));
}

void request_columns::add(const request_row& row) {
  for (std::size_t i = 0; i < column_count; ++i)
    append(i, row.values()[i]);
  ++rows_;
}

std::vector<std::uint64_t> request_columns::values(column c) const {
  const auto index = static_cast<std::size_t>(c);
  std::vector<std::uint64_t> out;
  out.reserve(rows_);
  std::uint64_t before = 0;
  for (std::size_t at = 0; out.size() < rows_;) {
    const std::uint64_t code = read_varint(bytes_[index], at);
    if (formats[index].type == delta)
      out.push_back(before += static_cast<std::uint64_t>(from_zigzag(code)));
    else
      out.push_back(code);
  }
  return out;
}

void request_columns::keep_only(const std::vector<bool>& wanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < column_count; ++i) {
    const std::vector<std::uint64_t> all = values(static_cast<column>(i));
    bytes_[i].clear();
    before_[i] = 0;
    kept = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (!wanted[row]) continue;
      append(i, all[row]);
      ++kept;
    }
  }
  rows_ = kept;
}

void request_columns::write(std::span<const std::uint32_t> order, const sink& out) const {
  std::string bytes;
  for (std::size_t i = 0; i < column_count; ++i) {
    const auto [name, type, time, other] = formats[i];
    const std::vector<std::uint64_t> all = values(static_cast<column>(i));
    const std::vector<std::uint64_t> others = other ? values(*other) : std::vector<std::uint64_t>();
    std::uint64_t before = 0;
    for (const std::uint32_t row : order) {
      append_varint(bytes, other ? beside(type, all[row], number_of(type_of(*other), others[row]))
                                 : coded(type, all[row], before));
      if (bytes.size() < bytes_at_once) continue;
      out(bytes);
      bytes.clear();
    }
  }
  out(bytes);
}

}  // namespace reporters
