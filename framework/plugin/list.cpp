#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/gate.hpp"
#include "plugin/library.hpp"
#include "plugin/load.hpp"
#include "plugin/probe.hpp"
#include "plugin/search.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

// The plugins of each of `paths`, in their order. One child describes all of them, if it can.
std::vector<std::vector<described>> look_into(std::span<const fs::path> paths, bool allow_unsafe,
                                              const probe_command& command) {
  std::vector<std::vector<described>> out(paths.size());
  std::vector<fs::path> passed;
  std::vector<std::size_t> places;  // of the files that passed, in `out`
  for (std::size_t i = 0; i < paths.size(); ++i) {
    try {
      passed.push_back(pass_gate(paths[i], allow_unsafe));
      places.push_back(i);
    } catch (const base::error& e) {
      described& refused = out[i].emplace_back();
      refused.file = paths[i];
      refused.trouble = e.what();
    }
  }
  std::vector<std::vector<described>> found = probe(passed, command);
  for (std::size_t i = 0; i < found.size(); ++i)
    out[places[i]] = std::move(found[i]);
  return out;
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
    describe_files();
    for (const ifb_kind kind : all_kinds)
      list_kind(kind);
    std::ranges::sort(out_, {}, [](const described& d) {
      return std::tuple(d.later, d.kind, std::string_view(d.name));
    });
    return std::move(out_);
  }

 private:
  struct named_file {
    std::string name;
    fs::path path;  // as the search path has it
    fs::path file;  // links are resolved
  };
  struct described_file {
    std::vector<described> plugins;
    bool listed = false;  // a name of the file is in out_
  };
  struct unnamed_file {
    std::string name;
    fs::path found_at, file;
    std::vector<described>* plugins;
  };

  // Describes each file of the search path once: several links may point to the same file.
  void describe_files() {
    std::vector<fs::path> together, alone;
    for (const ifb_kind kind : all_kinds)
      for (auto& [name, path] : files_of(kind, search_)) {
        std::error_code ignored;
        fs::path file = fs::weakly_canonical(path, ignored);
        if (described_.try_emplace(file).second)
          (is_builtin(path) ? together : alone).push_back(path);
        files_[kind].push_back({name, path, std::move(file)});
      }
    for (std::span<const fs::path> rest = together; !rest.empty();) {
      const auto batch = rest.first(std::min(rest.size(), probe_batch));
      rest = rest.subspan(batch.size());
      describe_files(batch);
    }
    for (const fs::path& path : alone)
      describe_files({&path, 1});
  }

  void describe_files(std::span<const fs::path> paths) {
    std::vector<std::vector<described>> found = look_into(paths, search_.allow_unsafe, command_);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      std::error_code ignored;
      described_[fs::weakly_canonical(paths[i], ignored)].plugins = std::move(found[i]);
    }
  }

  // Only the libraries of the program are known to have no effect on each other in one process:
  // static variables of templates, for example, are shared by all libraries of a process.
  bool is_builtin(const fs::path& path) const {
    return !search_.builtin.empty() && path.parent_path().parent_path() == search_.builtin;
  }

  void list_kind(ifb_kind kind) {
    std::set<std::pair<fs::path, std::string>> named;
    std::vector<unnamed_file> unnamed;
    for (const auto& [name, path, file] : files_[kind]) {
      auto& [plugins, listed] = described_[file];
      if (!std::exchange(listed, true) && is_sound(plugins)) add_later(plugins, name, path);
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
  std::map<ifb_kind, std::vector<named_file>> files_;
  std::map<fs::path, described_file> described_;
  std::vector<described> out_;
};

}  // namespace

std::vector<described> describe_all(const fs::path& file, bool allow_unsafe,
                                    const probe_command& command) {
  const fs::path path = fs::absolute(file);
  return look_into({&path, 1}, allow_unsafe, command).front();
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
