// The built-in filters, by theme; builtins.hpp finds them.
#pragma once

#include <span>

#include "call.hpp"

namespace jinja {

struct entry {
  std::string_view name;
  signature is;
};

[[nodiscard]] std::span<const entry> text_filters();
[[nodiscard]] std::span<const entry> number_filters();
[[nodiscard]] std::span<const entry> sequence_filters();
[[nodiscard]] std::span<const entry> selecting_filters();

/// What filters with `attribute` look up: "a.b.0" in one item.
class attribute_path {
 public:
  attribute_path(machine& m, const value& attribute);
  [[nodiscard]] value operator()(machine& m, value of, const value& fallback = {}) const;

 private:
  values parts_;
};

/// The lower-case form of a string, anything else as it is.
[[nodiscard]] value ignore_case(machine& m, const value& of);
/// sorted(): items with their keys, in place.
void sort_by_key(machine& m, std::vector<std::pair<value, value>>& keyed, bool reverse);

}  // namespace jinja
