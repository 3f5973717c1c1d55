#include "sweep/runnable.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "sweep/layout.hpp"
#include "sweep/python_text.hpp"
#include "sweep/workload.hpp"

namespace inferbench::sweep {

namespace {

// Texts, because NaN is not equal to NaN.
bool same_items(const item& a, const item& b) {
  return python_repr(a.table()) == python_repr(b.table());
}

void require_free_variable(const plan& what) {
  if (what.does == kind::serve) return;
  for (const item& bench : what.bench_items) {
    if (!bench.has(what.variable)) continue;
    const bool workload = what.does == kind::workload;
    throw base::error("the combination " + python_repr(bench.table()) + " sets " + what.variable +
                          ", whose values the " + (workload ? "exploration" : "search") +
                          " chooses",
                      "remove it, or choose another variable by " +
                          std::string(workload ? "--workload-var" : "--sla-variable"),
                      bench.table().where);
  }
}

/// The longest name that the combination gives to a folder.
std::string longest_name(const plan& what, const item& serve, const item& bench) {
  if (what.does != kind::workload) return folder_name(serve, bench);
  const std::string size = std::to_string(dataset_size(bench, what.bench_command));
  const item batch = bench.with("max_concurrency", options::node::of(size));
  const std::string level[] = {"WL-", what.variable + "=" + size};
  return folder_name(serve, batch, level);
}

void require_short(const std::string& name, const std::string& thing, const std::string& remedy,
                   const base::source_position& where) {
  if (name.size() <= NAME_MAX) return;
  throw base::error("the name of the " + thing + " has " + std::to_string(name.size()) +
                        " bytes, and a file system takes " + std::to_string(NAME_MAX) + ": " + name,
                    remedy, where);
}

const base::source_position& place_of(const item& serve, const item& bench) {
  return bench.empty() ? serve.table().where : bench.table().where;
}

void require_folders(const plan& what) {
  std::map<std::string, std::pair<const item*, const item*>> seen;
  for (const item& serve : what.serve_items) {
    for (const item& bench : what.bench_items) {
      if (!runs(what, serve, bench)) continue;
      require_short(longest_name(what, serve, bench), "folder of a combination",
                    "give the combination a short _benchmark_name", place_of(serve, bench));
      const auto [at, added] = seen.emplace(folder_name(serve, bench), std::pair(&serve, &bench));
      const auto& [other_serve, other_bench] = at->second;
      if (added || (same_items(serve, *other_serve) && same_items(bench, *other_bench))) continue;
      const bool by_serve = !same_items(serve, *other_serve);
      const item& first = by_serve ? *other_serve : *other_bench;
      const item& second = by_serve ? serve : bench;
      throw base::error("the combinations " + python_repr(first.table()) + " and " +
                            python_repr(second.table()) + " have the same folder, " +
                            (at->first.empty() ? "that of the experiment" : at->first),
                        "give each of them a _benchmark_name of its own", second.table().where);
    }
  }
}

bool has_values(const item& wanted, const item& serve, const item& bench) {
  const auto has = [](const item& in, const std::string& key, const options::node& value) {
    const options::node* found = in.find(key);
    return found != nullptr && equal_values(*found, value);
  };
  for (std::size_t i = 0; i < wanted.table().items.size(); ++i) {
    const std::string& key = wanted.table().names[i];
    const options::node& value = wanted.table().items[i];
    if (!has(serve, key, value) && !has(bench, key, value)) return false;
  }
  return !wanted.empty();
}

}  // namespace

bool runs(const plan& what, const item& serve, const item& bench) {
  return linked(what.links, serve, bench) &&
         std::ranges::none_of(
             what.excludes, [&](const item& exclude) { return has_values(exclude, serve, bench); });
}

void require_runnable(const plan& what) {
  require_free_variable(what);
  for (const sla_set& set : what.sla_sets)
    require_short(sla_file(set), "result of a set of criteria", "use fewer criteria", {});
  require_folders(what);
}

}  // namespace inferbench::sweep
