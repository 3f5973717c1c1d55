// Libraries in memory: opened once, never unloaded. [control]
#pragma once

#include <filesystem>
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
  std::string sha256;
  descriptor content;
};

/// Passes the gate, checks the digest, opens the library and reads its descriptor; the same
/// object for the same file. Throws base::error as load() does.
const library& open_file(const std::filesystem::path& path, bool allow_unsafe,
                         const pin& meant = {});

/// The id of the plugin that a file name means: the plugin called like the file that was found,
/// else like the file that it links to, else, for a path, the only plugin of its kind; nullptr
/// when none of these exists.
const char* pick_id(std::span<const std::pair<ifb_kind, const char*>> ids, ifb_kind kind,
                    const std::filesystem::path& found_at, const std::filesystem::path& file,
                    bool is_path);

}  // namespace inferbench::plugin
