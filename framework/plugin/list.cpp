#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "plugin/gate.hpp"
#include "plugin/library.hpp"
#include "plugin/load.hpp"
#include "plugin/probe.hpp"
#include "plugin/search.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

std::vector<described> look_into(const fs::path& path, bool allow_unsafe,
                                 const probe_command& command) {
  try {
    return probe(pass_gate(path, allow_unsafe), command);
  } catch (const base::error& e) {
    described out;
    out.file = path;
    out.trouble = e.what();
    return {std::move(out)};
  }
}

described* find(std::vector<described>& in, ifb_kind kind, const std::string& id) {
  const auto at = std::ranges::find_if(
      in, [&](const described& d) { return d.kind == kind && d.id == id && d.trouble.empty(); });
  return at == in.end() ? nullptr : &*at;
}

// Whether the library has plugins for this host or a later host.
bool is_sound(const std::vector<described>& plugins) {
  return plugins.front().trouble.empty() || plugins.front().later;
}

// Describes the files of the search path, kind by kind.
class lister {
 public:
  lister(const search_path& search, const probe_command& command)
      : search_(search), command_(command) {}

  std::vector<described> list() {
    for (const ifb_kind kind : all_kinds)
      list_kind(kind);
    std::ranges::sort(out_, {}, [](const described& d) {
      return std::tuple(d.later, d.kind, std::string_view(d.name));
    });
    return std::move(out_);
  }

 private:
  struct unnamed_file {
    std::string name;
    fs::path found_at, file;
    std::vector<described>* plugins;
  };

  void list_kind(ifb_kind kind) {
    std::set<std::pair<fs::path, std::string>> named;
    std::vector<unnamed_file> unnamed;
    for (const auto& [name, path] : files_of(kind, search_)) {
      std::error_code ignored;
      const fs::path file = fs::weakly_canonical(path, ignored);
      const auto [at, first] = known_.try_emplace(file);
      if (first) at->second = look_into(path, search_.allow_unsafe, command_);
      std::vector<described>& plugins = at->second;
      if (first && is_sound(plugins)) add_later(plugins, name, path);
      if (!is_sound(plugins)) {
        add(plugins.front(), name, path).kind = kind;
        continue;
      }
      std::vector<std::pair<ifb_kind, const char*>> ids;
      for (const described& d : plugins)
        if (!d.later) ids.emplace_back(d.kind, d.id.c_str());
      const char* const id = pick_id(ids, kind, path, file, false);
      if (id == nullptr) {
        unnamed.push_back({name, path, file, &plugins});
        continue;
      }
      add(*find(plugins, kind, id), name, path);
      named.emplace(file, id);
    }
    // If no link is named after a plugin of the library, the plugin can still be selected by
    // name:id.
    for (const unnamed_file& one : unnamed) {
      bool any = false;
      for (const described& d : *one.plugins) {
        any |= d.later;
        if (d.later || d.kind != kind) continue;
        any = true;
        if (named.emplace(one.file, d.id).second) add(d, one.name + ":" + d.id, one.found_at);
      }
      if (any) continue;
      described misplaced;
      misplaced.kind = kind;
      misplaced.file = one.file;
      misplaced.trouble =
          "holds no " + std::string(name_of(kind)) + ", but lies in " + folder_of(kind);
      add(misplaced, one.name, one.found_at);
    }
  }

  described& add(const described& what, const std::string& name, const fs::path& found_at) {
    described& out = out_.emplace_back(what);
    out.name = name;
    out.found_at = found_at;
    return out;
  }

  void add_later(const std::vector<described>& plugins, const std::string& name,
                 const fs::path& found_at) {
    for (const described& d : plugins)
      if (d.later) add(d, name + ":" + d.id, found_at);
  }

  const search_path& search_;
  const probe_command& command_;
  // Several links may point to the same file. Each file is described only once.
  std::map<fs::path, std::vector<described>> known_;
  std::vector<described> out_;
};

}  // namespace

std::vector<described> describe_all(const fs::path& file, bool allow_unsafe,
                                    const probe_command& command) {
  return look_into(fs::absolute(file), allow_unsafe, command);
}

std::vector<described> describe(const fs::path& file, bool allow_unsafe,
                                const probe_command& command) {
  std::vector<described> out = describe_all(file, allow_unsafe, command);
  if (!out.front().later) {
    std::erase_if(out, [](const described& d) { return d.later; });
    return out;
  }
  described nothing;
  nothing.file = out.front().file;
  nothing.trouble = "holds no plugin that this host can use";
  for (const described& d : out)
    nothing.trouble += "; " + d.id + " " + d.trouble;
  return {std::move(nothing)};
}

std::vector<described> list(const search_path& search, const probe_command& command) {
  return lister(search, command).list();
}

}  // namespace inferbench::plugin
