#include "folder_listing.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

namespace hub {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

std::vector<listed_file> files_below(const fs::path& folder) {
  std::vector<listed_file> out;
  std::error_code why;
  const fs::path inside = fs::canonical(folder, why);
  if (why) return out;
  std::set<fs::path> entered{inside};
  constexpr auto options = fs::directory_options::follow_directory_symlink |
                           fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, why), end; !why && at != end;
       at.increment(why)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      // A link can lead out of the folder, or back to a folder above it.
      const fs::path real = fs::canonical(at->path(), ignored);
      if (ignored || !is_below(real, inside) || !entered.insert(real).second)
        at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file(ignored)) continue;
    const std::uintmax_t size = at->file_size(ignored);
    out.push_back({at->path().lexically_relative(folder).generic_string(), ignored ? 0 : size});
  }
  std::ranges::sort(out, {}, &listed_file::path);
  return out;
}

}  // namespace hub
