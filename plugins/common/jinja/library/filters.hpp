// The built-in filters, by theme; builtins.hpp finds them.
#pragma once

#include <span>

#include "common/jinja/python/call.hpp"

namespace jinja {

[[nodiscard]] std::span<const entry> text_filters();
[[nodiscard]] std::span<const entry> number_filters();
[[nodiscard]] std::span<const entry> sequence_filters();
[[nodiscard]] std::span<const entry> selecting_filters();

/// What filters with `attribute` look up: "a.b.0" in one item.
class attribute_path {
 public:
  attribute_path(rendering& r, const value& attribute);
  [[nodiscard]] value operator()(rendering& r, value of, const value& fallback = {}) const;

 private:
  values parts_;
};

/// The lower-case form of a string, anything else as it is.
[[nodiscard]] value ignore_case(rendering& r, const value& of);
/// sorted(): items with their keys, in place.
void sort_by_key(rendering& r, std::vector<std::pair<value, value>>& keyed, bool reverse);

}  // namespace jinja
