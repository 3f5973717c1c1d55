#include "config/sweep_files.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/upstream.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"
#include "pytext/python_text.hpp"
#include "sweep/axes.hpp"
#include "sweep/benchmark_command.hpp"
#include "sweep/runnable.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view server_table = "server";
constexpr std::size_t words_before_arguments = 2;  // inferbench run

bool is_of_sweep(const setting& each) {
  return each.path.starts_with(sweep_table) && each.path.size() > sweep_table.size() &&
         each.path[sweep_table.size()] == '.';
}

/// The table of this name; it is added if it is not there.
options::node& table_in(options::node& parent, std::string_view name) {
  if (options::node* found = parent.find(name)) return *found;
  options::node added = options::node::table();
  added.where = parent.where;
  return parent.set(name, std::move(added));
}

/// The TOML value of a setting.
options::node literal_of(const setting& given) {
  options::node out = options::parse_toml_literal(given.texts.front(), given.where.file);
  out.where = given.where;
  for (options::node& each : out.items)
    each.where = given.where;
  return out;
}

/// --set sweep.axes.load.request-rate=[1, 2], also for the axes of the server. Returns false if the
/// path is another.
bool set_axis(options::node& sweep, const setting& given) {
  for (const bool of_server : {false, true}) {
    const std::string before =
        std::string(sweep_table) + (of_server ? "." + std::string(server_table) : "") + ".axes.";
    if (!given.path.starts_with(before) || given.path.size() == before.size()) continue;
    options::node& parent = of_server ? table_in(sweep, server_table) : sweep;
    options::node& axes = table_in(parent, "axes");
    if (!axes.is(options::node::kind::table)) return true;  // an error of the file comes later
    options::node values = literal_of(given);
    axes = sweep::flat(axes).with(given.path.substr(before.size()), std::move(values)).table();
    return true;
  }
  return false;
}

void set_key(options::node& sweep, const setting& given) {
  if (set_axis(sweep, given)) return;
  std::vector<options::option> keys = sweep::toml_sweep_keys();
  for (const char* command : {"command", "after-bench"})
    keys.push_back(
        {.table = std::string(sweep_table) + "." + std::string(server_table), .name = command});
  const auto key = std::ranges::find(keys, given.path, &options::option::path);
  if (key == keys.end()) {
    std::vector<std::string> known;
    for (const options::option& each : keys)
      known.push_back(each.path());
    const std::string meant = base::did_you_mean(given.path, known);
    throw options::usage_error(
        "unknown key " + given.path,
        meant.empty() ? "zips, excludes and reporters are set in the file" : meant,
        {"--set", 0, 0});
  }
  const bool is_list = key->type == IFB_STRINGS && given.texts.front().starts_with('[');
  options::node value =
      is_list ? literal_of(given) : options::node_of_text(*key, given.texts, given.where);
  value.where = given.where;
  options::node& parent = key->table == sweep_table ? sweep : table_in(sweep, server_table);
  if (parent.is(options::node::kind::table)) parent.set(key->name, std::move(value));
}

/// Whether a single run does not take the flag over.
bool is_flag_of_experiment(const given_flag& flag) {
  const std::vector<options::option> own = sweep_flags();
  return flag.name == ignore_sweep_flag || flag.name == "print-config" || flag.name == "reporter" ||
         std::ranges::find(own, flag.name, &options::option::flag) != own.end();
}

/// --set sweep.KEY=VALUE. The text may have blanks before the key.
bool is_setting_of_sweep(const std::string& text) {
  return base::trim(text).starts_with(std::string(sweep_table) + ".");
}

/// The error of a run, with the place where the file sets the value instead of the --set of the
/// command.
template <typename error_type>
[[noreturn]] void throw_for(const sweep::item& of, const error_type& why) {
  constexpr std::string_view set = "--set";
  const options::node& values = of.table();
  const std::string& place = why.where().file;
  for (std::size_t i = 0; place.starts_with(set) && i < values.items.size(); ++i) {
    const std::string& key = values.names[i];
    const bool named = why.message().find(key) != std::string::npos;
    if (place != std::string(set) + " " + key && !(place == set && named)) continue;
    throw error_type((named ? "" : key + ": ") + why.message(), why.remedy(),
                     values.items[i].where);
  }
  if (why.where().known() || of.empty()) throw error_type(why.message(), why.remedy(), why.where());
  throw error_type("the combination " + base::one_line(of.text()) + ": " + why.message(),
                   why.remedy(), values.where);
}

config::plan read_run(const sweep::plan& experiment, const sweep::item& bench,
                      const read_single_run& read) {
  const std::vector<std::string> words = sweep::with_parameters(experiment, bench);
  try {
    return read(std::span(words).subspan(words_before_arguments));
  } catch (const options::usage_error& why) {
    throw_for(bench, why);
  } catch (const base::error& why) {
    throw_for(bench, why);
  }
}

bool runs_somewhere(const sweep::plan& experiment, const sweep::item& bench) {
  return std::ranges::any_of(experiment.serve_items, [&](const sweep::item& serve) {
    return sweep::runs(experiment, serve, bench);
  });
}

/// Combinations that run and have, together, each value of each axis.
std::vector<const sweep::item*> examples_of(const sweep::plan& experiment) {
  std::vector<const sweep::item*> out;
  std::set<std::string> seen;
  for (const sweep::item& bench : experiment.bench_items) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < bench.table().items.size(); ++i)
      values.push_back(bench.table().names[i] + "=" + pytext::python_repr(bench.table().items[i]));
    const bool is_new = out.empty() || std::ranges::any_of(values, [&](const std::string& value) {
                          return !seen.contains(value);
                        });
    if (!is_new || !runs_somewhere(experiment, bench)) continue;
    seen.insert(values.begin(), values.end());
    out.push_back(&bench);
  }
  return out;
}

/// The names of files that every run would write.
std::vector<std::string> files_of_every_run(const config::plan& run) {
  std::vector<std::string> out;
  if (run.files.journal && *run.files.journal != "none") out.push_back(*run.files.journal);
  for (const options::plugin_choice& reporter : run.reporters) {
    const options::option_value* append = reporter.find("append-result");
    if (append != nullptr && append->integer != 0) continue;
    for (const char* name : {"file", "result-filename"}) {
      const options::option_value* file = reporter.find(name);
      if (file == nullptr || !file->is_set || file->text.empty() || file->text == standard_output ||
          file->text.find(result_placeholder) != std::string::npos)
        continue;
      out.push_back(file->text);
      break;
    }
  }
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return out;
}

void prepare_for(sweep::plan& experiment, const config::plan& run,
                 std::vector<std::string>& warnings) {
  if (run.num_runs > 1)
    throw base::error("run.num-runs is " + std::to_string(run.num_runs) +
                          ", and a run of an experiment is one run",
                      "use repeats in [sweep] instead");
  experiment.prompts_key = "dataset.num-prompts";
  for (const std::string& file : files_of_every_run(run))
    warnings.push_back("every run of the experiment writes " + file +
                       ", which then has the last run only");
  // The experiment shows its own progress, and the screen needs a terminal.
  if (run.live.shown == live_display::view::screen) {
    experiment.bench_command.emplace_back("--set");
    experiment.bench_command.emplace_back("run.live=none");
  }
}

}  // namespace

std::vector<options::option> sweep_flags() {
  std::vector<options::option> out(3);
  out[0].flag = "dry-run";
  out[0].help = "With a table [sweep]: print what would run, and stop";
  out[1].flag = "resume";
  out[1].help = "With a table [sweep]: continue the experiment sweep.name; finished runs stay";
  out[2].flag = "show-stdout";
  out[2].help = "With a table [sweep]: show the standard output of its programs";
  for (options::option& each : out) {
    each.type = IFB_BOOL;
    each.takes = options::arity::none;
    each.fallback = "false";
  }
  return out;
}

std::optional<options::node> take_sweep(sources& from) {
  std::optional<options::node> out;
  const auto name = std::ranges::find(from.file.names, sweep_table);
  if (name != from.file.names.end()) {
    const auto at = from.file.items.begin() + (name - from.file.names.begin());
    out = std::move(*at);
    from.file.items.erase(at);
    from.file.names.erase(name);
  }
  for (const setting& each : from.line) {
    if (!is_of_sweep(each)) continue;
    if (!out) out = options::node::table();
    set_key(*out, each);
  }
  std::erase_if(from.line, is_of_sweep);
  return out;
}

std::vector<std::string> single_run_command(std::span<const std::string> files,
                                            const command_line& line,
                                            std::span<const options::option> options) {
  command_line single;
  single.positional.assign(files.begin(), files.end());
  for (given_flag flag : line.flags) {
    if (is_flag_of_experiment(flag)) continue;
    if (flag.name == "set") std::erase_if(flag.values, is_setting_of_sweep);
    if (!flag.values.empty()) single.flags.push_back(std::move(flag));
  }
  std::vector<std::string> out{"inferbench", "run"};
  for (std::string& word : command_words(single, options))
    out.push_back(std::move(word));
  out.push_back("--" + std::string(ignore_sweep_flag));
  return out;
}

std::string digest_of_settings(const options::node& file) {
  // FNV-1a with 64 bits (Fowler, Noll, Vo). The text itself can contain secrets.
  std::uint64_t out = 0xcbf29ce484222325U;
  for (const char c : options::to_toml(file)) {
    out ^= static_cast<unsigned char>(c);
    out *= 0x100000001b3U;
  }
  return fmt::format("{:016x}", out);
}

void prepare_runs(sweep::plan& experiment, const read_single_run& read,
                  std::vector<std::string>& warnings) {
  const std::vector<const sweep::item*> examples = examples_of(experiment);
  // The first run is read with the command as it is, because prepare_for() changes the command.
  const config::plan first = read_run(experiment, *examples.front(), read);
  for (const sweep::item* each : std::span(examples).subspan(1))
    (void)read_run(experiment, *each, read);
  prepare_for(experiment, first, warnings);
}

}  // namespace inferbench::config
