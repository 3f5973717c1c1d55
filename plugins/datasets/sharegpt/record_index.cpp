#include "record_index.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

namespace sharegpt {

namespace {

// Splits an id: "abc_17" becomes "abc" and 17.
std::optional<std::pair<std::string_view, std::uint64_t>> part_of(std::string_view id) {
  const auto bar = id.rfind('_');
  if (bar == std::string_view::npos || bar == 0) return std::nullopt;
  const std::string_view digits = id.substr(bar + 1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return std::pair(id.substr(0, bar), number);
}

}  // namespace

void record_index::add(place at, std::string_view id) {
  if (const auto named = part_of(id)) {
    const auto [found, fresh] = bases_.try_emplace(std::string(named->first), places_.size());
    parts_.push_back({found->second, named->second, at});
    if (!fresh) return;
  }
  places_.push_back(at);
}

void record_index::close() {
  bases_ = {};
  std::ranges::sort(parts_, {}, [](const part& each) {
    return std::tuple(each.row, each.number, each.at.offset);
  });
  const std::vector<place> single = std::exchange(places_, {});
  places_.reserve(single.size() + parts_.size());
  first_.reserve(single.size());
  auto next = parts_.begin();
  for (std::size_t row = 0; row < single.size(); ++row) {
    first_.push_back(places_.size());
    if (next == parts_.end() || next->row != row) places_.push_back(single[row]);
    for (; next != parts_.end() && next->row == row; ++next)
      places_.push_back(next->at);
  }
  places_.shrink_to_fit();
  parts_ = {};
}

std::span<const place> record_index::row(std::size_t i) const {
  const std::size_t end = i + 1 < first_.size() ? first_[i + 1] : places_.size();
  return std::span(places_).subspan(first_[i], end - first_[i]);
}

}  // namespace sharegpt
