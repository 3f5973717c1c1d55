// One TOML table of a template, read key by key (common/toml/table.hpp). Its values may be paths
// (path.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "common/toml/table.hpp"
#include "document.hpp"
#include "path.hpp"

namespace template_backend {

using toml_file::suggestion;

/// Every function that reads a value throws ifb::failure with file and line if the value has a
/// different type. Used by one thread; its document must outlive it.
class table : public toml_file::table {
 public:
  using toml_file::table::table;

  /// Returns the alternative paths at `key`, in the order in which an answer is searched: the value
  /// of the key is one path or a list of paths. Empty if the key is missing or the list is empty.
  /// Also throws for a text that is not a path, and for more than 16 paths.
  [[nodiscard]] std::vector<path> paths(std::string_view key);
  /// The same for the value `read`; `key` is its name in messages.
  [[nodiscard]] std::vector<path> paths(std::string_view key, const value& read) const;
};

}  // namespace template_backend
