#include "config/catalog.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "options/check.hpp"
#include "plugin/search.hpp"

namespace inferbench::config {

void installed_catalog::look_in(std::vector<std::filesystem::path> folders, bool allow_unsafe) {
  search_ = plugin::search_path::standard(folders);
  search_.allow_unsafe = allow_unsafe;
}

plugin::loaded installed_catalog::load(ifb_kind kind, std::string_view name,
                                       const plugin::pin& meant) {
  return plugin::load(kind, name, search_, meant);
}

bool installed_catalog::came_with_program(const plugin::loaded& one) {
  if (search_.builtin.empty()) return false;
  std::error_code none;
  // Several plugins of a library have links with their names, which the path of a loaded library
  // does not show.
  const std::filesystem::path own = std::filesystem::weakly_canonical(
      search_.builtin / plugin::folder_of(one.plugin->kind) / (std::string(one.id()) + ".so"),
      none);
  return !none && one.file == own;
}

bool installed_catalog::installed(ifb_kind kind, std::string_view name) {
  return std::ranges::any_of(plugin::files_of(kind, search_),
                             [&](const auto& file) { return file.first == name; });
}

std::vector<plugin::described> installed_catalog::list(const std::vector<std::string>& also) {
  std::vector<plugin::described> out = plugin::list(search_);
  for (const std::string& path : also)
    for (plugin::described& d :
         plugin::describe(std::filesystem::absolute(plugin::parse_name(IFB_BACKEND, path).name),
                          search_.allow_unsafe))
      out.push_back(std::move(d));
  return out;
}

void warn_of_hidden(const plugin::loaded& used, std::vector<std::string>& warnings) {
  if (used.hides.empty()) return;
  std::vector<std::string> hidden;
  for (const std::filesystem::path& file : used.hides)
    hidden.push_back(file.string());
  std::string text = fmt::format("{} {} of {} hides {}", plugin::name_of(used.plugin->kind),
                                 used.id(), used.file.string(), fmt::join(hidden, ", "));
  if (std::ranges::find(warnings, text) == warnings.end()) warnings.push_back(std::move(text));
}

std::vector<options::option> declared_options(const plugin::loaded& one, ifb_kind kind) {
  std::vector<options::option> out;
  for (const ifb_option* declared : one.options())
    out.push_back(options::option_of(*declared, kind, one.id()));
  return out;
}

options::plugin_choice with_defaults(catalog& plugins, ifb_kind kind, std::string_view name) {
  options::plugin_choice out;
  out.use = name;
  out.library = plugins.load(kind, name, {});
  for (const options::option& declared : declared_options(out.library, kind))
    out.values.push_back(options::fallback_of(declared, {}));
  return out;
}

}  // namespace inferbench::config
