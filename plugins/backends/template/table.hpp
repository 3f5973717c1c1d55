// One table of a template, read key by key (common/toml/table.hpp), with paths as values.
#pragma once

#include <string_view>
#include <vector>

#include "common/toml/table.hpp"
#include "document.hpp"
#include "path.hpp"

namespace template_backend {

using toml_file::suggestion;

/// Every function throws ifb::failure with file and line if the value has a different type. Used by
/// one thread; its document must outlive it.
class table : public toml_file::table {
 public:
  using toml_file::table::table;

  /// Returns a path or a list of paths, in the order of their rank. Empty if the key is missing or
  /// the list is empty.
  [[nodiscard]] std::vector<path> paths(std::string_view key);
  /// Returns the paths of one value; `key` is its name in messages.
  [[nodiscard]] std::vector<path> paths(std::string_view key, const value& read) const;
};

}  // namespace template_backend
