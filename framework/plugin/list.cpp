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

}  // namespace

std::vector<described> describe(const fs::path& file, bool allow_unsafe,
                                const probe_command& command) {
  return look_into(fs::absolute(file), allow_unsafe, command);
}

std::vector<described> list(const search_path& search, const probe_command& command) {
  std::vector<described> out;
  // Several links may point to the same file. Each file is described only once.
  std::map<fs::path, std::vector<described>> known;
  for (const ifb_kind kind : all_kinds) {
    const auto files = files_of(kind, search);
    std::set<std::pair<fs::path, std::string>> named;
    std::vector<std::tuple<std::string, fs::path, std::vector<described>*>> unnamed;
    for (const auto& [name, path] : files) {
      std::error_code ignored;
      const fs::path file = fs::weakly_canonical(path, ignored);
      const auto [at, first] = known.try_emplace(file);
      if (first) at->second = look_into(path, search.allow_unsafe, command);
      std::vector<described>& plugins = at->second;
      if (!plugins.front().trouble.empty()) {
        described& broken = out.emplace_back(plugins.front());
        broken.kind = kind;
        broken.name = name;
        continue;
      }
      std::vector<std::pair<ifb_kind, const char*>> ids;
      for (const described& d : plugins)
        ids.emplace_back(d.kind, d.id.c_str());
      const char* const id = pick_id(ids, kind, path, file, false);
      if (id == nullptr) {
        unnamed.emplace_back(name, file, &plugins);
        continue;
      }
      out.emplace_back(*find(plugins, kind, id)).name = name;
      named.emplace(file, id);
    }
    // If no link is named after a plugin of the library, the plugin can still be selected by
    // name:id.
    for (const auto& [name, file, plugins] : unnamed) {
      bool any = false;
      for (const described& d : *plugins) {
        if (d.kind != kind) continue;
        any = true;
        if (named.emplace(file, d.id).second) out.emplace_back(d).name = name + ":" + d.id;
      }
      if (any) continue;
      described& misplaced = out.emplace_back();
      misplaced.kind = kind;
      misplaced.name = name;
      misplaced.file = file;
      misplaced.trouble =
          "holds no " + std::string(name_of(kind)) + ", but lies in " + folder_of(kind);
    }
  }
  std::ranges::sort(out, {}, [](const described& d) { return std::tie(d.kind, d.name); });
  return out;
}

}  // namespace inferbench::plugin
