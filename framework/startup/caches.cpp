#include "startup/caches.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::startup {

namespace {

namespace fs = std::filesystem;

bool is_variable(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

fs::path temporary_folder() {
  std::error_code why;
  fs::path out = fs::temp_directory_path(why);
  if (why)
    throw base::error("there is no folder for the caches of a cold start: " + why.message(),
                      "name a writable folder in $TMPDIR");
  return out;
}

// A program may have taken the right to write to its folders, which remove_all() needs.
void make_writable(const fs::path& root) noexcept {
  try {
    std::error_code ignored;
    for (fs::recursive_directory_iterator each(root, ignored), end; each != end;
         each.increment(ignored)) {
      if (ignored) return;
      if (each->is_directory(ignored) && !each->is_symlink(ignored))
        fs::permissions(each->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  } catch (const std::exception&) {
    // remove_all() reports the folder.
  }
}

}  // namespace

std::vector<std::string> usual_cache_variables() {
  return {"VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"};
}

std::vector<std::string> cold_variables(std::span<const std::string> more) {
  std::vector<std::string> out = usual_cache_variables();
  for (const std::string& name : more) {
    if (!is_variable(name))
      throw base::error("\"" + base::one_line(name) + "\" is no name of an environment variable",
                        "give the name of a variable with a folder, such as XDG_CACHE_HOME",
                        {"--cold-env"});
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  return out;
}

cold_caches::cold_caches(std::span<const std::string> variables, const fs::path& below)
    : variables_(variables.begin(), variables.end()) {
  std::string name =
      ((below.empty() ? temporary_folder() : below) / "vllm_startup_bench_cold_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw base::error(
        "cannot make the cache folders of a cold start, " + name + ": " + std::strerror(errno),
        "name a writable folder in $TMPDIR");
  root_ = name;
  for (const std::string& variable : variables_) {
    std::error_code why;
    fs::create_directory(root_ / variable, why);
    if (!why) continue;
    const std::string failed = (root_ / variable).string();
    remove();
    throw base::error("cannot make the cache folder " + failed + ": " + why.message(),
                      "name a writable folder in $TMPDIR");
  }
}

cold_caches::~cold_caches() { remove(); }

std::vector<std::string> cold_caches::environment() const {
  std::vector<std::string> out;
  for (const std::string& each : variables_)
    out.push_back(each + "=" + (root_ / each).string());
  return out;
}

std::vector<std::string> cold_caches::used() const {
  std::vector<std::string> out;
  for (const std::string& each : variables_) {
    std::error_code ignored;
    // A folder that the program has removed or replaced was used, too.
    const bool empty = fs::is_empty(root_ / each, ignored);
    if (ignored || !empty) out.push_back(each);
  }
  return out;
}

std::string cold_caches::remove() noexcept {
  if (root_.empty()) return {};
  try {
    const fs::path root = std::exchange(root_, fs::path());
    std::error_code why;
    fs::remove_all(root, why);
    if (!why) return {};
    make_writable(root);
    fs::remove_all(root, why);
    return why ? "cannot remove " + root.string() + ": " + why.message() : std::string();
  } catch (const std::exception& e) {
    try {
      return e.what();
    } catch (const std::exception&) {
      return {};
    }
  }
}

}  // namespace inferbench::startup
