#include "plugin/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".so";
const fs::path below_prefix = "lib/inferbench/plugins";

// glibc returns nullptr if the process has elevated privileges (AT_SECURE).
std::string from_environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value == nullptr ? std::string{} : std::string(value);
}

// A broken link counts as a file: it ends the search and is reported as a broken link.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  const auto type = fs::symlink_status(path, ignored).type();
  return type != fs::file_type::not_found && type != fs::file_type::none;
}

// The place of the library with this name below a folder of the search path.
fs::path place_of(const fs::path& folder, ifb_kind kind, std::string_view name) {
  return folder / folder_of(kind) / (std::string(name) + std::string(extension));
}

bool has_folder_of_a_kind(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(all_kinds, [&](ifb_kind kind) {
    return fs::is_directory(folder / folder_of(kind), ignored);
  });
}

// Throws base::error if the user gave a folder above or below the folder with the kinds.
void check_level(const fs::path& given) {
  fs::path folder = fs::absolute(given).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  if (has_folder_of_a_kind(folder)) return;
  fs::path meant;
  for (const fs::path& below : {below_prefix, fs::path("inferbench/plugins"), fs::path("plugins")})
    if (meant.empty() && has_folder_of_a_kind(folder / below)) meant = folder / below;
  for (const ifb_kind kind : all_kinds)
    if (folder.filename() == folder_of(kind)) meant = folder.parent_path();
  if (!meant.empty())
    throw base::error(folder.string() +
                          " has no folder backends, datasets, reporters, tokenizers or scorers, in "
                          "which plugins lie",
                      "give " + meant.string());
}

// The name and path of each library in the folder, sorted by name.
std::map<std::string, fs::path> files_in(const fs::path& folder) {
  std::map<std::string, fs::path> out;
  std::error_code stop;
  for (fs::directory_iterator at(folder, stop), none; !stop && at != none; at.increment(stop))
    if (at->path().extension() == extension) out.emplace(at->path().stem(), at->path());
  return out;
}

}  // namespace

// Returns literals only, because the signal handlers of breadcrumb.cpp call it.
std::string_view name_of(ifb_kind kind) {
  switch (kind) {
    case IFB_BACKEND: return "backend";
    case IFB_DATASET: return "dataset";
    case IFB_REPORTER: return "reporter";
    case IFB_TOKENIZER: return "tokenizer";
    case IFB_SCORER: return "scorer";
    default: return "plugin of an unknown kind";
  }
}

std::string folder_of(ifb_kind kind) { return std::string(name_of(kind)) + "s"; }

search_path search_path::standard(const std::vector<fs::path>& given) {
  std::error_code ignored;
  for (const fs::path& folder : given)
    if (!fs::is_directory(folder, ignored))
      throw base::error("no folder for plugins at " + fs::absolute(folder).string(),
                        "correct the path that --plugin-dir or plugin.dir names");
  for (const fs::path& folder : given)
    check_level(folder);
  return standard(given, {.plugin_path = from_environment("INFERBENCH_PLUGIN_PATH"),
                          .data_home = from_environment("XDG_DATA_HOME"),
                          .home = from_environment("HOME"),
                          .executable = fs::read_symlink("/proc/self/exe", ignored)});
}

search_path search_path::standard(const std::vector<fs::path>& given, const surroundings& around) {
  search_path out;
  for (const fs::path& folder : given)
    out.folders.push_back(fs::absolute(folder));
  const auto add = [&](const fs::path& folder) {
    if (folder.is_absolute()) out.folders.push_back(folder.lexically_normal());
  };
  for (const std::string_view folder : base::split(around.plugin_path, ':'))
    add(folder);
  fs::path data = around.data_home;
  if (!data.is_absolute() && !around.home.empty()) data = fs::path(around.home) / ".local/share";
  if (!data.empty()) add(data / "inferbench/plugins");
  if (!around.executable.empty()) {
    out.builtin = (around.executable.parent_path().parent_path() / below_prefix).lexically_normal();
    add(out.builtin);
  }
  add("/usr/local" / below_prefix);
  add("/usr" / below_prefix);
  return out;
}

wanted parse_name(ifb_kind kind, std::string_view text) {
  wanted out;
  out.name = text;
  // A path may contain a colon. If the whole text is the path of a file, it has no id.
  const auto colon = text.rfind(':');
  const bool whole = text.find('/') != std::string_view::npos && is_there(fs::path(text));
  if (colon != std::string_view::npos && !whole &&
      text.find('/', colon) == std::string_view::npos) {
    out.name = text.substr(0, colon);
    out.id = text.substr(colon + 1);
  }
  out.is_path = out.name.find('/') != std::string::npos;
  if (out.name.empty() || (out.id.empty() && text.ends_with(':')))
    throw base::error("\"" + std::string(text) + "\" names no " + std::string(name_of(kind)),
                      "write a name, name:id or a path with a slash");
  return out;
}

fs::path find_file(ifb_kind kind, const wanted& what, const search_path& search) {
  const std::string called = std::string(name_of(kind));
  if (what.is_path) {
    const fs::path path = fs::absolute(what.name);
    if (!is_there(path))
      throw base::error("no " + called + " library at " + path.string(),
                        "build it or correct the path");
    return path;
  }
  std::vector<std::string> tried;
  for (const fs::path& folder : search.folders) {
    const fs::path path = place_of(folder, kind, what.name);
    if (is_there(path)) return path;
    tried.push_back(path.string());
  }
  std::vector<std::string> names;
  for (const auto& [name, path] : files_of(kind, search))
    names.push_back(name);
  std::string remedy = base::did_you_mean(what.name, names);
  if (remedy.empty() && !names.empty()) remedy = fmt::format("there is {}", fmt::join(names, ", "));
  for (const fs::path& folder : search.folders)
    if (const fs::path loose = folder / (what.name + std::string(extension)); is_there(loose))
      remedy = fmt::format("move {} to {}, or give its path instead of the name", loose.string(),
                           (folder / folder_of(kind)).string());
  if (what.name.ends_with(extension)) remedy = "write ./" + what.name + ": a path has a slash";
  if (remedy.empty()) remedy = "name its folder with --plugin-dir, or give a path with a slash";
  if (tried.empty()) tried.emplace_back("no folder at all");
  throw base::error(
      fmt::format("no {} is called {} (tried {})", called, what.name, fmt::join(tried, ", ")),
      remedy);
}

std::vector<fs::path> files_called(ifb_kind kind, std::string_view name,
                                   const search_path& search) {
  std::vector<fs::path> out;
  for (const fs::path& folder : search.folders) {
    fs::path path = place_of(folder, kind, name);
    if (is_there(path)) out.push_back(std::move(path));
  }
  return out;
}

std::vector<std::pair<std::string, fs::path>> files_of(ifb_kind kind, const search_path& search) {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : search.folders)
    for (auto& [name, path] : files_in(folder / folder_of(kind)))
      found.emplace(name, std::move(path));
  return {found.begin(), found.end()};
}

std::vector<hidden_file> hidden_files(const search_path& search) {
  std::vector<hidden_file> out;
  for (const ifb_kind kind : all_kinds) {
    std::map<std::string, fs::path> found;
    for (const fs::path& folder : search.folders)
      for (auto& [name, path] : files_in(folder / folder_of(kind))) {
        const auto [at, first] = found.try_emplace(name, path);
        std::error_code unknown;
        if (!first && !fs::equivalent(at->second, path, unknown))
          out.push_back({kind, name, std::move(path), at->second});
      }
  }
  return out;
}

}  // namespace inferbench::plugin
