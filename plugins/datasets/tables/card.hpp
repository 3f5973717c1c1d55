// The subsets ("configs") that the card of a data set, README.md, declares in its YAML part.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tables {

/// A split and the patterns of its files (path_pattern.hpp), relative to the folder of the subset,
/// as the card has them: they may lead out of the data set.
struct card_split {
  std::string name;
  std::vector<std::string> patterns;
};

struct card_config {
  std::string name;
  bool is_default = false;
  std::string folder{};              // "data_dir"; empty: the data set's folder
  std::vector<card_split> splits{};  // empty: splits are found by the names of files
};

/// Returns the subsets of a card; empty if it declares none. A single subset, and a subset with the
/// name "default", is the default. Throws ifb::failure (IFB_E_DATA, "README.md: line 7: ...") if
/// the declaration has another form.
[[nodiscard]] std::vector<card_config> read_card(std::string_view readme);

}  // namespace tables
