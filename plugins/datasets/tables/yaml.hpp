// The part of YAML that cards of data sets use: mappings and sequences in blocks and in brackets,
// plain and quoted scalars, block scalars, comments. No anchors, tags or several documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tables {

/// A tree of values. All scalars are texts.
struct yaml_value {
  enum class kind : std::uint8_t { nothing, scalar, sequence, mapping };

  kind is = kind::nothing;
  std::string text{};
  std::vector<yaml_value> items{};                            // of a sequence
  std::vector<std::pair<std::string, yaml_value>> members{};  // of a mapping, in order

  /// Returns a member of a mapping; nullptr if there is none.
  [[nodiscard]] const yaml_value* find(std::string_view name) const;
};

/// Returns the lines between the two lines "---" at the beginning of a document; empty if it does
/// not begin with such a line.
[[nodiscard]] std::string_view front_matter(std::string_view document);

/// Returns the value of the top-level key `name` of a text of YAML, without reading the rest of it;
/// kind::nothing if the key does not exist. Throws ifb::failure (IFB_E_DATA) "line 7: ..." for
/// anything else than the part of YAML above.
[[nodiscard]] yaml_value read_yaml(std::string_view text, std::string_view name);

}  // namespace tables
