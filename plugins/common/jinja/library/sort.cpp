#include <algorithm>

#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "filters.hpp"

namespace jinja {

namespace {

using keyed_items = std::vector<std::pair<value, value>>;

// Python sorts lists up to this size by binary insertion after the first run; longer lists are
// merged.
constexpr std::size_t shortest_merge = 64;

/// Compares in the same order as Python. If two values cannot be compared, the error therefore
/// names the same pair.
void insert_sorted(rendering& r, keyed_items& keyed) {
  const auto below = [&](std::size_t a, std::size_t b) {
    return less(r, keyed[a].first, keyed[b].first);
  };
  std::size_t run = 1;
  if (keyed.size() > 1) {
    const bool descending = below(1, 0);
    for (run = 2; run < keyed.size() && below(run, run - 1) == descending;)
      ++run;
    if (descending) std::reverse(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(run));
  }
  for (; run < keyed.size(); ++run) {
    std::size_t left = 0;
    std::size_t right = run;
    while (left < right) {
      const std::size_t middle = left + (right - left) / 2;
      if (below(run, middle))
        right = middle;
      else
        left = middle + 1;
    }
    const auto at = keyed.begin() + static_cast<std::ptrdiff_t>(left);
    std::rotate(at, keyed.begin() + static_cast<std::ptrdiff_t>(run),
                keyed.begin() + static_cast<std::ptrdiff_t>(run) + 1);
  }
}

}  // namespace

void sort_by_key(rendering& r, keyed_items& keyed, bool reverse) {
  // Equal items keep their order, also in a reversed sort.
  if (reverse) std::ranges::reverse(keyed);
  if (keyed.size() < shortest_merge)
    insert_sorted(r, keyed);
  else
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
      r.step();
      return less(r, a.first, b.first);
    });
  if (reverse) std::ranges::reverse(keyed);
}

value ignore_case(rendering& r, const value& of) {
  return of.is(kind::text) ? r.text(unicode::to_lower(of.text())) : of;
}

attribute_path::attribute_path(rendering& r, const value& attribute) {
  if (attribute.missing() || attribute.is_none()) return;
  if (!attribute.is(kind::text)) {
    parts_.push_back(attribute);
    return;
  }
  std::string_view rest = attribute.text();
  for (;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const bool digits =
        !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    parts_.push_back(digits ? value(*parse_integer(part, 10)) : r.text(part));
    if (dot == std::string_view::npos) return;
    rest.remove_prefix(dot + 1);
  }
}

value attribute_path::operator()(rendering& r, value of, const value& fallback) const {
  for (const value& part : parts_) {
    of = get_item(r, of, part);
    if (of.is(kind::undefined) && !fallback.missing() && !fallback.is_none()) of = fallback;
  }
  return of;
}

}  // namespace jinja
