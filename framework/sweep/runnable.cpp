#include "sweep/runnable.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "pytext/python_text.hpp"
#include "sweep/benchmark_command.hpp"
#include "sweep/command.hpp"
#include "sweep/layout.hpp"
#include "sweep/workload.hpp"

namespace inferbench::sweep {

namespace {

// Texts, because NaN is not equal to NaN.
bool same_items(const item& a, const item& b) {
  return pytext::python_repr(a.table()) == pytext::python_repr(b.table());
}

void require_free_variable(const plan& what) {
  if (!has_levels(what.does)) return;
  for (const item& bench : what.bench_items) {
    if (!bench.has(what.variable)) continue;
    const bool workload = what.does == kind::workload;
    throw base::error("the combination " + pytext::python_repr(bench.table()) + " sets " +
                          what.variable + ", whose values the " +
                          (workload ? "exploration" : "search") + " chooses",
                      "remove it, or choose another variable by " +
                          std::string(workload ? "--workload-var" : "--sla-variable"),
                      bench.table().where);
  }
}

/// The longest name that the combination gives to a folder.
std::string longest_name(const plan& what, const item& serve, const item& bench) {
  if (what.does != kind::workload) return combination_folder(what, serve, bench);
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
      const auto [at, added] =
          seen.emplace(combination_folder(what, serve, bench), std::pair(&serve, &bench));
      const auto& [other_serve, other_bench] = at->second;
      if (added || (same_items(serve, *other_serve) && same_items(bench, *other_bench))) continue;
      const bool by_serve = !same_items(serve, *other_serve);
      const item& first = by_serve ? *other_serve : *other_bench;
      const item& second = by_serve ? serve : bench;
      throw base::error("the combinations " + pytext::python_repr(first.table()) + " and " +
                            pytext::python_repr(second.table()) + " have the same folder, " +
                            (at->first.empty() ? "that of the experiment" : at->first),
                        "give each of them a _benchmark_name of its own", second.table().where);
    }
  }
}

/// The key with "-" for "_" before the first dot: keys with the same text are the same option.
std::string option_key(const std::string& key) {
  std::string out = key;
  const auto dot = std::min(out.find('.'), out.size());
  std::replace(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(dot), '_', '-');
  return out;
}

/// The longest argument that the parameter becomes.
std::size_t longest_word(const plan& what, const std::string& key, const options::node& value,
                         bool of_server) {
  plan bare;
  bare.result_reporter = of_server ? "" : what.result_reporter;
  std::size_t out = 0;
  for (const std::string& word : with_parameters(bare, item().with(key, value)))
    out = std::max(out, word.size());
  return out;
}

void require_parameters(const plan& what, const item& of, bool of_server) {
  std::map<std::string, std::string> seen;
  for (std::size_t i = 0; i < of.table().items.size(); ++i) {
    const std::string& key = of.table().names[i];
    const options::node& value = of.table().items[i];
    const std::string option = option_key(key);
    const auto [at, added] = seen.emplace(option, key);
    if (!added)
      throw base::error("the combination has the parameter " + pytext::python_repr(key) + ", and " +
                            pytext::python_repr(at->second) + ", which is the same option",
                        "remove one of them", value.where);
    if (!of_server && what.does != kind::startup && what.result_reporter.empty() &&
        (option == "result-dir" || option == "result-filename"))
      throw base::error("the parameter " + pytext::python_repr(key) +
                            " is set by the sweep, which looks for the result of each run there",
                        "remove it; --output-dir and --experiment-name choose the folder",
                        value.where);
    if (const auto size = longest_word(what, key, value, of_server); size > longest_argument)
      throw base::error(
          "the parameter " + pytext::python_repr(key) + " of the " +
              (of_server ? "server" : "benchmark") + " has " + std::to_string(size) +
              " bytes, and an argument of a program can have " + std::to_string(longest_argument),
          "write the value to a file, if the program can read it from there", value.where);
  }
}

/// Whether the levels of the plan set the parameter.
bool is_set_by_levels(const plan& what, const std::string& bench_key) {
  return has_levels(what.does) && (bench_key == what.variable || bench_key == "max_concurrency");
}

bool some_have(const std::vector<item>& items, const std::string& key) {
  return std::ranges::any_of(items, [&](const item& each) { return each.find(key) != nullptr; });
}

void require_combination(const plan& what) {
  if (what.links.empty() || what.serve_items.empty() || what.bench_items.empty() || some_run(what))
    return;
  throw base::error(why_none_runs(what),
                    "a link SERVER_PARAMETER=BENCHMARK_PARAMETER needs both parameters, spelled as "
                    "in the files, with equal values",
                    {"--link-vars"});
}

void add_repetitions(const std::vector<item>& items, std::vector<std::string>& to) {
  std::map<std::string, std::uint32_t> lines;
  for (const item& each : items) {
    const base::source_position& where = each.table().where;
    const auto [at, added] = lines.emplace(pytext::python_repr(each.table()), where.line);
    if (!added)
      to.push_back(where.text() + ": the combination " + at->first +
                   " is the same as that in line " + std::to_string(at->second) +
                   "; its runs are made once and are in summary.csv twice");
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

bool some_run(const plan& what) {
  plan conditions;
  conditions.excludes = what.excludes;
  for (const link& each : what.links)
    if (!is_set_by_levels(what, each.bench_key)) conditions.links.push_back(each);
  return std::ranges::any_of(what.serve_items, [&](const item& serve) {
    return std::ranges::any_of(what.bench_items,
                               [&](const item& bench) { return runs(conditions, serve, bench); });
  });
}

std::string why_none_runs(const plan& what) {
  constexpr std::string_view begin = "no combination is left: ";
  for (const link& each : what.links) {
    const auto missing = [&](std::string_view owner, const std::string& key) {
      return fmt::format("{}no {} has the parameter {} of the link {}={}", begin, owner, key,
                         each.serve_key, each.bench_key);
    };
    if (!some_have(what.serve_items, each.serve_key)) return missing("server", each.serve_key);
    if (!is_set_by_levels(what, each.bench_key) && !some_have(what.bench_items, each.bench_key))
      return missing("benchmark", each.bench_key);
  }
  return fmt::format("{}{}", begin,
                     what.excludes.empty() ? "the links leave out all of them"
                                           : "the links and excludes leave out all of them");
}

std::vector<std::string> repetitions_in(const plan& what) {
  std::vector<std::string> out;
  add_repetitions(what.serve_items, out);
  add_repetitions(what.bench_items, out);
  return out;
}

void require_runnable(const plan& what) {
  for (const item& each : what.serve_items)
    require_parameters(what, each, true);
  for (const item& each : what.bench_items)
    require_parameters(what, each, false);
  require_free_variable(what);
  for (const sla_set& set : what.sla_sets)
    require_short(sla_file(set), "result of a set of criteria", "use fewer criteria", {});
  require_folders(what);
  require_combination(what);
}

}  // namespace inferbench::sweep
