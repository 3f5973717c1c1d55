// The built-in filters, grouped by topic; builtins.hpp finds them by name.
#pragma once

#include <span>

#include "common/jinja/python/call.hpp"

namespace jinja {

[[nodiscard]] std::span<const entry> text_filters();
[[nodiscard]] std::span<const entry> number_filters();
[[nodiscard]] std::span<const entry> sequence_filters();
[[nodiscard]] std::span<const entry> selecting_filters();

/// Looks up the `attribute` parameter of a filter, such as "a.b.0", in an item.
class attribute_path {
 public:
  attribute_path(rendering& r, const value& attribute);
  [[nodiscard]] value operator()(rendering& r, value of, const value& fallback = {}) const;

 private:
  values parts_;
};

/// Returns the lower-case form of a string; any other value is returned unchanged.
[[nodiscard]] value ignore_case(rendering& r, const value& of);
/// Python's sorted(): sorts items by their keys, in place.
void sort_by_key(rendering& r, std::vector<std::pair<value, value>>& keyed, bool reverse);

}  // namespace jinja
