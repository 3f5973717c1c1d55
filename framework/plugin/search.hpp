// From a name to a file: the folders, their order, the first file that exists. Runs no code of a
// library.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "plugin/library.hpp"

namespace inferbench::plugin {

/// The parts of a name in the configuration.
struct wanted {
  std::string name;  // "openai", or a path
  std::string id;    // after the colon, or empty
  bool is_path = false;
};
/// "openai", "openai:clip", "./x.so", "./x.so:clip". Throws base::error when empty.
[[nodiscard]] wanted parse_name(ifb_kind kind, std::string_view text);

/// The absolute path of the first file that exists, links not resolved. Throws base::error with
/// every path tried and the nearest name that exists.
[[nodiscard]] std::filesystem::path find_file(ifb_kind kind, const wanted& what,
                                              const search_path& search);

/// The files of `kind`, the first file per name, sorted by name: name and path.
[[nodiscard]] std::vector<std::pair<std::string, std::filesystem::path>> files_of(
    ifb_kind kind, const search_path& search);

}  // namespace inferbench::plugin
