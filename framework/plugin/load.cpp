#include "plugin/load.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plugin/breadcrumb.hpp"
#include "plugin/gate.hpp"
#include "plugin/library_code.hpp"
#include "plugin/search.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

// The linker's own message, without the text that Boost adds.
std::string linker_reason(const std::string& what, const std::string& file) {
  constexpr std::string_view before = "dlerror system message: ";
  const auto from = what.find(before);
  if (from == std::string::npos) return what;
  std::string reason = what.substr(from + before.size());
  const auto to = reason.rfind("): ");
  if (to != std::string::npos) reason.resize(to);
  if (reason.starts_with(file + ": ")) reason.erase(0, file.size() + 2);
  return reason;
}

boost::dll::shared_library open_library(const fs::path& file) {
  const std::string name = file.string();
  boost::dll::shared_library out;
  try {
    // Both modes are set explicitly, since the default binds lazily. The path must be absolute,
    // since the linker would search for a name without a path.
    out.load(file, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  } catch (const std::exception& e) {
    throw base::error("cannot load " + name + ": " + linker_reason(e.what(), name),
                      "build it for this machine, and install the libraries that it needs");
  }
  return out;
}

void check_digest(const fs::path& file, const std::string& found, const pin& meant) {
  if (!meant.sha256.empty() && found != meant.sha256)
    throw base::error(
        "refusing to load " + file.string() + ": its SHA-256 is " + found + ", not " + meant.sha256,
        "install the build that is meant, or correct sha256", meant.where);
}

std::vector<std::string_view> ids_of_kind(const library& in, ifb_kind kind) {
  std::vector<std::string_view> ids;
  for (const ifb_plugin& p : in.content.plugins)
    if (p.kind == kind) ids.emplace_back(p.id);
  return ids;
}

std::string ids_of(const library& in, ifb_kind kind) {
  if (const auto ids = ids_of_kind(in, kind); !ids.empty())
    return fmt::format("{} {}", name_of(kind), fmt::join(ids, ", "));
  std::vector<std::string> all;
  for (const ifb_plugin& p : in.content.plugins)
    all.push_back(fmt::format("{} {}", name_of(p.kind), p.id));
  for (const later_plugin& p : in.content.later)
    all.push_back(fmt::format("{}, which {}", p.id, p.why));
  return all.empty() ? "no plugin" : fmt::format("{}", fmt::join(all, "; "));
}

bool holds(const library& in, ifb_kind kind) {
  return std::ranges::find(in.content.plugins, kind, &completed_plugin::kind) !=
         in.content.plugins.end();
}

// Throws base::error if the user asks for a plugin that needs a later host: by its id, by a file
// with this name, or by a library that has no other plugin of this kind.
void refuse_later(const library& in, ifb_kind kind, const fs::path& found, std::string_view id) {
  const bool alone = !holds(in, kind);
  for (const later_plugin& p : in.content.later)
    if (id.empty() ? p.kind == kind && (alone || p.id == found.stem() || p.id == in.file.stem())
                   : p.id == id)
      throw base::error(
          fmt::format("plugin {} of {} {}", p.id, in.file.string(), p.why),
          "use a later release of inferbench, or a build of the plugin for plugin ABI " +
              abi_of_host());
}

bool has_digest(const fs::path& file, const std::string& sha256) {
  try {
    return base::sha256_of_file(file.string()) == sha256;
  } catch (const base::error&) {
    return false;  // a file that cannot be read
  }
}

// The files with this name in the folders after that of `found`, if they have other contents.
std::vector<fs::path> hidden_by(const fs::path& found, const library& in, ifb_kind kind,
                                const wanted& what, const search_path& search) {
  if (what.is_path ||
      (!search.builtin.empty() && found.parent_path() == search.builtin / folder_of(kind)))
    return {};
  std::vector<fs::path> out;
  for (fs::path& other : files_called(kind, what.name, search)) {
    std::error_code unknown;
    if (other == found || fs::equivalent(other, in.file, unknown)) continue;
    if (!fs::is_regular_file(other, unknown)) continue;
    if (!has_digest(other, in.sha256)) out.push_back(std::move(other));
  }
  return out;
}

// The libraries that are open. They are never destroyed: the destructor of a Boost.DLL object
// unloads the library, but code that has run once must stay in memory, because of threads, atexit
// and static objects.
auto& opened_handles = *new std::deque<boost::dll::shared_library>;
auto& opened_libraries = *new std::deque<library>;

// nullptr if the file was not opened before.
library* find_opened(const fs::path& file) {
  const auto at = std::ranges::find(opened_libraries, file, &library::file);
  return at == opened_libraries.end() ? nullptr : &*at;
}

// Opens the library and reads its descriptor.
library& open_new(const fs::path& file) {
  // Names the library in the message for a crash in its constructors, in its entry function or in
  // the memory to which the entry function points.
  const std::string name = file.string();
  ifb_plugin loading{};
  loading.id = name.c_str();
  const breadcrumb crumb(&loading, "while it is loaded");
  auto& handle = opened_handles.emplace_back(open_library(file));
  const auto entry =
      reinterpret_cast<ifb_entry>(&handle.get<std::remove_pointer_t<ifb_entry>>(IFB_ENTRY_NAME));
  remember_library(reinterpret_cast<const void*>(entry), name);
  const ifb_library* const said = crumb.run([&] { return entry(IFB_ABI_MAJOR, IFB_ABI_MINOR); });
  library& out = opened_libraries.emplace_back();
  try {
    read_descriptor(said, name, out.content);
  } catch (...) {
    opened_libraries.pop_back();
    throw;
  }
  out.file = file;
  return out;
}

}  // namespace

const library& open_checked(const fs::path& file) {
  library* const known = find_opened(file);
  return known != nullptr ? *known : open_new(file);
}

const library& open_file(const fs::path& path, bool allow_unsafe, const pin& meant) {
  const fs::path file = pass_gate(path, allow_unsafe);
  library* out = find_opened(file);
  std::string digest =
      out != nullptr && !out->sha256.empty() ? out->sha256 : base::sha256_of_file(file.string());
  check_digest(file, digest, meant);
  if (out == nullptr) out = &open_new(file);
  out->sha256 = std::move(digest);
  return *out;
}

const char* pick_id(std::span<const std::pair<ifb_kind, const char*>> ids, ifb_kind kind,
                    const fs::path& found_at, const fs::path& file, bool is_path) {
  const std::string wanted_names[] = {found_at.stem().string(), file.stem().string()};
  const char* only = nullptr;
  std::size_t count = 0;
  for (const std::string& name : wanted_names)
    for (const auto& [of, id] : ids)
      if (of == kind && name == id) return id;
  for (const auto& [of, id] : ids) {
    if (of != kind) continue;
    only = id;
    ++count;
  }
  return is_path && count == 1 ? only : nullptr;
}

loaded load(ifb_kind kind, std::string_view name, const search_path& search, const pin& meant) {
  const wanted what = parse_name(kind, name);
  const fs::path path = find_file(kind, what, search);
  const library& in = open_file(path, search.allow_unsafe, meant);
  std::string id = what.id;
  if (id.empty()) {
    std::vector<std::pair<ifb_kind, const char*>> ids;
    for (const ifb_plugin& p : in.content.plugins)
      ids.emplace_back(p.kind, p.id);
    const char* const picked = pick_id(ids, kind, path, in.file, what.is_path);
    if (picked != nullptr) id = picked;
  }
  if (std::optional<loaded> out = find_in(in, kind, id)) {
    out->hides = hidden_by(path, in, kind, what, search);
    return *std::move(out);
  }
  refuse_later(in, kind, path, id);
  const std::string asked = id.empty() && !what.is_path ? what.name : id;
  std::string message = fmt::format("{} holds no {}{}{}", in.file.string(), name_of(kind),
                                    asked.empty() ? "" : " ", asked);
  const auto of_kind = ids_of_kind(in, kind);
  // The only plugin of the kind has another name than its file.
  if (id.empty() && !what.is_path && of_kind.size() == 1)
    throw base::error(message, fmt::format("write {}:{}, or name the file {}.so", what.name,
                                           of_kind.front(), of_kind.front()));
  throw base::error(message + "; it holds " + ids_of(in, kind),
                    of_kind.empty() ? "name another library"
                    : id.empty()    ? "pick one by " + what.name + ":ID"
                                    : "correct the name");
}

std::optional<loaded> find_in(const library& in, ifb_kind kind, std::string_view id) {
  const auto at = std::ranges::find_if(
      in.content.plugins, [&](const ifb_plugin& p) { return p.kind == kind && id == p.id; });
  if (at == in.content.plugins.end()) return std::nullopt;
  return loaded{.plugin = &*at,
                .file = in.file,
                .sha256 = in.sha256,
                .sdk = in.content.sdk,
                .abi_major = in.content.abi_major,
                .abi_minor = in.content.abi_minor,
                .own = at->own};
}

const void* loaded::query(const char* interface_id) const {
  if (plugin->query == nullptr) return nullptr;
  const breadcrumb crumb(plugin, "query");
  return crumb.run([&] { return plugin->query(self(), interface_id); });
}

std::uint32_t dataset_flags(const loaded& dataset) {
  const auto* const table = static_cast<const ifb_dataset*>(dataset.query(IFB_DATASET_OPS));
  return table != nullptr && IFB_KNOWS(table, flags) ? table->flags : 0;
}

std::vector<const ifb_option*> loaded::options() const {
  std::vector<const ifb_option*> out;
  const auto* at = reinterpret_cast<const char*>(plugin->options);
  for (std::uint32_t i = 0; i < plugin->option_count; ++i, at += plugin->option_stride)
    out.push_back(reinterpret_cast<const ifb_option*>(at));
  return out;
}

}  // namespace inferbench::plugin
