#include "split_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace tables {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw ifb::failure(IFB_E_CONFIG,
                     "\"" + std::string(text) + "\" is no split: " + why +
                         "; examples: train, train[:100], train[10%:20%], train+test",
                     "hf-split");
}

/// Names of splits are words that may be joined by dots: "train.clean.100". Hyphens are also taken,
/// because names of files may contain them.
bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
  });
}

/// Reads "", "-100", "1_000" or "25%".
std::optional<std::int64_t> bound(std::string_view text, bool& percent, std::string_view whole) {
  std::string digits(ifb::trim(text));
  if (digits.empty()) return std::nullopt;
  if (digits.back() == '%') {
    percent = true;
    digits.pop_back();
  }
  std::erase(digits, '_');
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || digits.empty())
    refuse(whole, "\"" + std::string(text) + "\" is no number of rows");
  if (percent && std::abs(value) > 100) refuse(whole, "a percentage is between -100 and 100");
  return value;
}

split_slice slice_of(std::string_view term, std::string_view whole) {
  split_slice out;
  std::string_view name = ifb::trim(term);
  constexpr std::string_view dropping = "(pct1_dropremainder)";
  if (name.ends_with(dropping)) {
    out.drops_rest = true;
    name.remove_suffix(dropping.size());
  } else if (name.ends_with("(closest)")) {
    name.remove_suffix(std::string_view("(closest)").size());
  }
  if (name.ends_with(']')) {
    const auto open = name.find('[');
    const auto colon = name.find(':');
    if (open == name.npos || colon == name.npos || colon < open)
      refuse(whole, "a slice has the form [FROM:TO]");
    bool from_percent = false;
    bool to_percent = false;
    out.is_sliced = true;
    out.from = bound(name.substr(open + 1, colon - open - 1), from_percent, whole);
    out.to = bound(name.substr(colon + 1, name.size() - colon - 2), to_percent, whole);
    out.percent = from_percent || to_percent;
    if (out.percent && ((out.from && !from_percent) || (out.to && !to_percent)))
      refuse(whole, "both bounds of a slice are rows or both are percentages");
    name = name.substr(0, open);
  }
  if (!is_name(name)) refuse(whole, "a name of letters, digits, dots and underscores is needed");
  out.split = name;
  return out;
}

std::int64_t rows_of_percent(std::int64_t percent, std::int64_t rows, bool drops_rest) {
  if (drops_rest) return percent * (rows / 100);
  // nearbyint rounds halves to even, like Python's round().
  return static_cast<std::int64_t>(
      std::nearbyint(static_cast<double>(percent) * static_cast<double>(rows) / 100.0));
}

}  // namespace

std::vector<split_slice> parse_split_text(std::string_view text) {
  std::vector<split_slice> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('+', from), text.size());
    out.push_back(slice_of(text.substr(from, end - from), text));
    from = end + 1;
  }
  return out;
}

slice_bounds bounds_of(const split_slice& slice, std::uint64_t rows) {
  const auto all = static_cast<std::int64_t>(rows);
  const auto place = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
    if (!given) return otherwise;
    std::int64_t at = slice.percent ? rows_of_percent(*given, all, slice.drops_rest) : *given;
    if (at < 0) at = std::max<std::int64_t>(all + at, 0);
    return std::min(at, all);
  };
  const std::int64_t from = place(slice.from, 0);
  const std::int64_t to = place(slice.to, all);
  return {static_cast<std::uint64_t>(from),
          static_cast<std::uint64_t>(std::max(to - from, std::int64_t{0}))};
}

}  // namespace tables
