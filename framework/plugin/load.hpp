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

/// Gate, digest, dlopen, entry, checks; the same object for the same file. Throws
/// base::error as load() does.
const library& open_file(const std::filesystem::path& path, bool allow_unsafe,
                         const pin& meant = {});

/// Which of a library's plugins a file name means: the one called as the file that
/// was found, else as the file that it links to, else, for a path, the only one of
/// its kind; nullptr when none of that helps.
const char* pick_id(std::span<const std::pair<ifb_kind, const char*>> ids, ifb_kind kind,
                    const std::filesystem::path& found_at, const std::filesystem::path& file,
                    bool is_path);

}  // namespace inferbench::plugin
