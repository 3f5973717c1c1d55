// Finds the file for a name: the first file that exists in the folders, in their order. Does not
// run code of a library.
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
  std::string name;  // a name such as "openai", or a path
  std::string id;    // the text after the colon, or empty
  bool is_path = false;
};
/// Parses a name such as "openai", "openai:clip", "./x.so" or "./x.so:clip". Throws base::error if
/// the name is empty.
[[nodiscard]] wanted parse_name(ifb_kind kind, std::string_view text);

/// The absolute path of the first file that exists. Links are not resolved. If there is no file,
/// throws base::error with every path tried and the nearest existing name.
[[nodiscard]] std::filesystem::path find_file(ifb_kind kind, const wanted& what,
                                              const search_path& search);

/// All files with this name, in the order of the folders. Links are not resolved.
[[nodiscard]] std::vector<std::filesystem::path> files_called(ifb_kind kind, std::string_view name,
                                                              const search_path& search);

/// The name and path of each file of `kind`, sorted by name. If several files have the same name,
/// only the first is listed.
[[nodiscard]] std::vector<std::pair<std::string, std::filesystem::path>> files_of(
    ifb_kind kind, const search_path& search);

}  // namespace inferbench::plugin
