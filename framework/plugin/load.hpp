// Libraries in memory. Each is opened once and never unloaded. [control]
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/abi.h>

#include "plugin/descriptor.hpp"
#include "plugin/library.hpp"

namespace inferbench::plugin {

struct library {
  std::filesystem::path file;  // links resolved
  std::string sha256;          // of the file; empty if only open_checked() has opened it
  descriptor content;
};

/// Checks the file (gate.hpp) and its digest, opens the library and reads its descriptor. Returns
/// the same object for the same file. Throws base::error like load().
const library& open_file(const std::filesystem::path& path, bool allow_unsafe,
                         const pin& meant = {});

/// Like open_file(), but without the checks, for the child processes of this program. `file` is the
/// result of pass_gate() in the parent. A child does not need the digest, for which the whole file
/// is read.
const library& open_checked(const std::filesystem::path& file);

/// The plugin of the library with this kind and id; nullopt if the library has no such plugin that
/// this host can use.
[[nodiscard]] std::optional<loaded> find_in(const library& in, ifb_kind kind, std::string_view id);

/// The id of the plugin that a file name selects. First choice: the plugin with the name of the
/// found file. Second: the plugin with the name of the file to which the found file links. Third,
/// only if `is_path`: the only plugin of this kind. nullptr if there is no such plugin.
const char* pick_id(std::span<const std::pair<ifb_kind, const char*>> ids, ifb_kind kind,
                    const std::filesystem::path& found_at, const std::filesystem::path& file,
                    bool is_path);

}  // namespace inferbench::plugin
