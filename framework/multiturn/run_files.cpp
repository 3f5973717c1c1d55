#include "multiturn/run_files.hpp"

#include <cstddef>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"

namespace inferbench::multiturn {

namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code unknown;
  if (fs::exists(a, unknown) && fs::exists(b, unknown))
    return !fs::is_other(a, unknown) && fs::equivalent(a, b, unknown);
  // absolute(): weakly_canonical() leaves a name relative if no part of it exists.
  const fs::path whole = fs::weakly_canonical(fs::absolute(a, unknown), unknown);
  return !whole.empty() && whole == fs::weakly_canonical(fs::absolute(b, unknown), unknown);
}

}  // namespace

void require_different_files(std::span<const named_file> files) {
  for (std::size_t later = 1; later < files.size(); ++later)
    for (const named_file& earlier : files.first(later)) {
      const named_file& each = files[later];
      if (each.path.empty() || earlier.path.empty() || !is_same_file(each.path, earlier.path))
        continue;
      throw options::usage_error(
          fmt::format("{} is also the file of {}", base::one_line(each.path), earlier.flag),
          "name another file", {each.flag, 0, 0});
    }
}

void require_folder(const named_file& file) {
  const fs::path folder = fs::path(file.path).parent_path();
  std::error_code unknown;
  if (folder.empty() || fs::is_directory(folder, unknown)) return;
  throw base::error("there is no folder " + base::one_line(folder.string()),
                    "make it, or name another", {file.flag, 0, 0});
}

}  // namespace inferbench::multiturn
