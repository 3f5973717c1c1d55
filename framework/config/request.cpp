#include "config/request.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "config/command_flags.hpp"
#include "config/flag_table.hpp"
#include "config/flags.hpp"
#include "config/given_flags.hpp"
#include "config/keys.hpp"
#include "config/layers.hpp"
#include "config/missing_plugin_flags.hpp"
#include "config/overrides.hpp"
#include "config/plan_builder.hpp"
#include "config/reporter_flags.hpp"
#include "config/request_help.hpp"
#include "config/settings.hpp"
#include "config/sweep_files.hpp"
#include "config/upstream.hpp"
#include "options/refusal.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::config {

namespace {

class request_parser {
 public:
  /// `usage`: the usage line of the command. `own`: the command's flags that are not keys.
  request_parser(options::command who, std::span<const std::string> args,
                 const options::environment& env, catalog& plugins, std::string usage,
                 std::vector<options::option> own)
      : args_(args),
        env_(env),
        plugins_(plugins),
        usage_(std::move(usage)),
        keys_(host_keys()),
        given_(keys_, std::move(own), env) {
    from_.who = who;
    table_.add(given_.own_flags(), who);
    table_.add(keys_, who);
  }

  request parse() {
    command_line line = parse_flags(args_, table_.flags(), false);
    const bool short_form =
        std::ranges::any_of(line.unknown, [&](const auto& name) { return table_.begins(name); });
    if (short_form) line = parse_flags(args_, table_.flags(), true);
    given_.read(line, {}, from_);
    look(line);
    if (asks_for_help(line)) return help(line);
    if (from_.who == options::for_run)
      if (const auto table = table_of_experiment()) return experiment(line, *table);
    const used_plugins used = resolve(line, short_form);
    if (from_.who == options::for_run) (void)take_sweep(from_);
    given_.refuse_idle_reporters(line, used);
    resolve_sets(from_, used, keys_);
    reject_unknown(from_, used, keys_);
    request out;
    known_ = given_.known(used);
    out.line = command_echo(line, known_);
    out.warnings = std::move(line.warnings);
    for_each(used, [&](const used_plugin& one) { warn_of_hidden(one.library, out.warnings); });
    given_.add_warnings(line, used, used.dataset && for_hub(), out.warnings);
    out.plan = build_plan(from_, used, env_, keys_, out.warnings);
    const fields& unused = given_.unused();
    out.plan.flags.insert(out.plan.flags.end(), unused.begin(), unused.end());
    out.print_config =
        line.find("print-config") != nullptr && line.find("print-config")->values.front() == "true";
    return out;
  }

  /// The named reporters show several runs, so a single run has none.
  void report_several_runs() { from_.several_runs = true; }
  [[nodiscard]] const std::vector<std::string>& named_reporters() const noexcept {
    return from_.reporters;
  }
  /// Whether the command line has a flag that sets the key. Valid after parse().
  [[nodiscard]] bool has(std::string_view path) const { return is_given(path, from_); }

  /// The value of a flag of the command, or its default. Valid after parse().
  [[nodiscard]] options::option_value own(std::string_view name) const { return given_.own(name); }

 private:
  /// The table [sweep] with its settings from the command line, which a single run does not see;
  /// nullopt: a single run is wanted.
  std::optional<options::node> table_of_experiment() {
    std::optional<options::node> out = take_sweep(from_);
    if (given_.own(ignore_sweep_flag).integer != 0) out.reset();
    for (const options::option& flag : sweep_flags())
      if (!out && given_.own(flag.flag).integer != 0)
        throw options::usage_error("the run is no experiment",
                                   "leave the flag out, or give a file with a table [sweep]",
                                   {"--" + flag.flag, 0, 0});
    return out;
  }

  request experiment(const command_line& line, const options::node& table) {
    if (!line.unknown.empty() && !of_idle_reporter(line.unknown.front(), plugins_, table_).empty())
      throw options::usage_error("unknown flag " + line.unknown.front(),
                                 "an experiment takes the options of a reporter from "
                                 "[[sweep.reporter]] in the file");
    reject_rest(line);
    request out;
    out.warnings = line.warnings;
    std::vector<std::string> command =
        single_run_command(std::span(line.positional).first(files_), line, given_.known({}));
    if (given_.own("print-config").integer != 0) {
      out.print_config = true;
      out.plan = single_run(std::span(command).subspan(2));
      out.plan.toml_with_places += "\n" + sweep::toml_of(table);
      return out;
    }
    sweep::plan plan = sweep::plan_of(table, std::move(command), upstream::result_reporter,
                                      {.dry_run = given_.own("dry-run").integer != 0,
                                       .resume = given_.own("resume").integer != 0,
                                       .show_stdout = given_.own("show-stdout").integer != 0},
                                      env_);
    plan.reporters = from_.reporters;
    plan.settings_digest = digest_of_settings(from_.file);
    prepare_runs(
        plan, [this](std::span<const std::string> args) { return single_run(args); }, out.warnings);
    look_for_plugins();  // the runs have looked for theirs
    out.line = command_echo(line, known_);
    plan.command_line = "inferbench run " + out.line;
    out.sweep = std::move(plan);
    return out;
  }

  /// The plan of a run of the experiment.
  plan single_run(std::span<const std::string> args) {
    request_parser run(from_.who, args, env_, plugins_, usage_, given_.own_flags());
    plan out = run.parse().plan;
    if (known_.empty()) known_ = std::move(run.known_);
    return out;
  }

  // Reads the line again with the flags of plugins, until all flags are known.
  used_plugins resolve(command_line& line, bool short_form) {
    if (line.unknown.empty() && !(short_form && from_.who != options::for_run)) {
      reject_rest(line);
      return choose(from_, env_, plugins_, keys_);
    }
    if (from_.who == options::for_run) return resolve_run(line, short_form);
    // For the dataset `hf` a flag that is not known yet may choose the plugin.
    if (!short_form && !for_hub()) {
      used_plugins used = choose(from_, env_, plugins_, keys_);
      flag_table wider = with(used);
      command_line again = parse_flags(args_, wider.flags(), false);
      if (again.unknown.empty()) {
        line = std::move(again);
        given_.read(line, used, from_);
        // --hf-name may have chosen another plugin.
        if (!for_hub()) {
          reject_rest(line);
          return used;
        }
      }
    }
    std::vector<options::option> idle = listed_options(plugins_, table_);
    flag_table wider = table_;
    wider.add(idle, from_.who);
    std::vector<options::option> missing = missing_plugin_flags(wider);
    wider.add(missing, from_.who);
    line = parse_flags(args_, wider.flags(), true);
    given_.accept_idle(idle, missing);
    read_for_hub(line, {});
    used_plugins used = choose(from_, env_, plugins_, keys_);
    wider = with(used);
    wider.add(idle, from_.who);
    wider.add(missing, from_.who);
    line = parse_flags(args_, wider.flags(), true);
    read_for_hub(line, used);
    reject_rest(line, wider);
    return used;
  }

  // The file sets all options, so only the flags of reporters that the command line names are
  // added.
  used_plugins resolve_run(command_line& line, bool short_form) {
    used_plugins used = choose(from_, env_, plugins_, keys_);
    flag_table wider = table_;
    for (const used_plugin& reporter : used.reporters)
      if (reporter.named)
        for (const options::option& o : reporter.options)
          wider.add(o);
    line = parse_flags(args_, wider.flags(), short_form);
    given_.read(line, used, from_);
    reject_rest(line, wider);
    return used;
  }

  flag_table with(const used_plugins& used) const {
    flag_table out = table_;
    for_each(used, [&](const used_plugin& p) { out.add(p.options, from_.who); });
    return out;
  }

  [[nodiscard]] bool for_hub() const { return asks_for_hub(from_, env_, plugins_, keys_); }

  void read_for_hub(const command_line& line, const used_plugins& used) {
    given_.read(line, used, from_);
    if (names_hub(from_, env_, keys_)) given_.read_hub_flags(line, used, from_);
  }

  void look(const command_line& line) {
    if (from_.who == options::for_run && !asks_for_help(line)) {
      if (line.positional.empty())
        throw options::usage_error("no file is named", "usage: " + usage_);
      read_files(line);
    }
    look_for_plugins();
  }

  void look_for_plugins() {
    std::vector<std::filesystem::path> folders;
    const auto value = [&](std::string_view path) {
      const auto key =
          std::ranges::find_if(keys_, [&](const options::option& k) { return k.path() == path; });
      return value_of(*key, from_, env_);
    };
    for (const std::string& folder : value("plugin.dir").list)
      folders.emplace_back(env_.expand(folder));
    plugins_.look_in(std::move(folders), value("plugin.allow-unsafe").integer != 0);
  }

  void read_files(const command_line& line) {
    files_ = std::min(line.certain, line.positional.size());
    if (files_ == 0) reject_rest(line);
    from_.file = read_layers(std::span(line.positional).first(files_), env_);
  }

  void reject_rest(const command_line& line) const { reject_rest(line, table_); }

  void reject_rest(const command_line& line, const flag_table& known) const {
    if (!line.unknown.empty()) {
      std::string remedy = of_other_command(line.unknown.front(), from_.who, known, keys_);
      if (remedy.empty()) remedy = of_general_flag(line.unknown.front(), known);
      if (remedy.empty() && from_.who == options::for_run)
        remedy = of_idle_reporter(line.unknown.front(), plugins_, known);
      if (remedy.empty()) remedy = base::did_you_mean(line.unknown.front(), known.names());
      if (remedy.empty()) remedy = "--help lists all";
      throw options::usage_error("unknown flag " + line.unknown.front(), remedy);
    }
    if (line.positional.size() > files_)
      throw options::usage_error("unexpected argument \"" + line.positional[files_] + "\"",
                                 "flags begin with --; usage: " + usage_);
  }

  static bool asks_for_help(const command_line& line) {
    return line.find("help") != nullptr ||
           std::ranges::find(line.unknown, "-h") != line.unknown.end();
  }

  request help(const command_line& line) {
    const given_flag* asked = line.find("help");
    request out;
    std::vector<options::option> shown = keys_;
    if (from_.who == options::for_run)
      std::ranges::move(sweep::toml_sweep_keys(), std::back_inserter(shown));
    out.help = help_of(from_.who, usage_, given_.own_flags(), shown,
                       listed_options(plugins_, table_, given_by_path()),
                       asked == nullptr ? "true" : asked->values.front());
    return out;
  }

  // The plugins that the user gave as paths. The search path does not contain them.
  std::vector<std::string> given_by_path() const {
    std::vector<std::string> out;
    for (const char* path : {"backend.use", "dataset.use", "tokenizer.use"}) {
      const auto key = std::ranges::find_if(
          keys_, [&](const options::option& k) { return k.path() == path && k.member.empty(); });
      const options::option_value use = value_of(*key, from_, env_);
      if (use.text.find('/') != std::string::npos) out.push_back(use.text);
    }
    return out;
  }

  std::span<const std::string> args_;
  const options::environment& env_;
  catalog& plugins_;
  std::string usage_;
  std::vector<options::option> keys_;
  given_flags given_;
  flag_table table_;
  std::vector<options::option> known_;  // the flags and keys of the plugins in use, too
  sources from_;
  std::size_t files_ = 0;  // the number of arguments that are TOML files
};

}  // namespace

request parse_serve(std::span<const std::string> args, const options::environment& env,
                    catalog& plugins) {
  return request_parser(options::for_serve, args, env, plugins, "inferbench serve [flags]",
                        command_flags(options::for_serve))
      .parse();
}

request parse_run(std::span<const std::string> args, const options::environment& env,
                  catalog& plugins) {
  return request_parser(options::for_run, args, env, plugins,
                        "inferbench run FILE.toml... [--set TABLE.KEY=VALUE]... [flags]",
                        command_flags(options::for_run))
      .parse();
}

request parse_dataset_show(std::span<const std::string> args, const options::environment& env,
                           catalog& plugins) {
  return request_parser(options::for_dataset_show, args, env, plugins,
                        "inferbench dataset show [flags]", command_flags(options::for_dataset_show))
      .parse();
}

request parse_tokenizer(std::span<const std::string> args, const options::environment& env,
                        catalog& plugins) {
  return request_parser(options::for_tokenizer, args, env, plugins,
                        "inferbench tokenizer encode|decode|count|render|info [flags]",
                        command_flags(options::for_tokenizer))
      .parse();
}

calibrate_request parse_calibrate(std::span<const std::string> args,
                                  const options::environment& env, catalog& plugins) {
  request_parser asked(options::for_serve, args, env, plugins, "inferbench calibrate [flags]",
                       calibrate_flags());
  calibrate_request out;
  out.load = asked.parse();
  out.ttft = asked.own("ttft").text;
  out.itl = asked.own("itl").text;
  out.limit_ns = static_cast<std::uint64_t>(asked.own("duration-limit").integer);
  return out;
}

namespace {

constexpr const char* find_usage =
    "inferbench find [flags of serve] --goal GOAL... --over LOAD --between LO HI";

// The search decides these keys.
struct decided_key {
  const char* path;
  const char* remedy;
};
constexpr decided_key decided_keys[] = {
    {"dataset.num-prompts", "--max-requests limits the requests of a run"},
    {"load.duration", "--max-time limits the time of a run"},
    {"run.num-runs", "leave the flag out: the search makes one run at each load"},
    {"run.journal", "leave the flag out: the search keeps a journal of each run in its folder"},
    {"run.save-result", "leave the flag out: the search keeps its results in its folder"},
    {"run.append-result", "leave the flag out: the search keeps its results in its folder"},
};

double bound_of(const std::string& text, bool whole) {
  const auto value = base::parse_float(text);
  if (!value || !(*value > 0) || !(*value <= 1e9))
    throw options::usage_error("\"" + text + "\" is not a load above 0",
                               "write for example --between 1 100", {"--between", 0, 0});
  if (whole && *value != static_cast<double>(static_cast<std::int64_t>(*value)))
    throw options::usage_error("\"" + text + "\" is not a whole number of requests in flight",
                               "write for example --between 1 100", {"--between", 0, 0});
  return *value;
}

void refuse_decided(const request_parser& asked, const std::string& over) {
  const bool rate = over == "request_rate";
  const std::string own = rate ? "load.request-rate" : "load.max-concurrency";
  const auto refuse = [&](const std::string& path, const char* remedy) {
    if (asked.has(path))
      throw options::usage_error("the search sets this flag itself", remedy,
                                 {"--" + path.substr(path.find('.') + 1), 0, 0});
  };
  refuse(own, "leave the flag out, or search over the other load with --over");
  for (const decided_key& key : decided_keys)
    refuse(key.path, key.remedy);
  // The other limit of the load would keep the load of a run below that of the search.
  for (const char* path : {rate ? "load.max-concurrency" : "load.request-rate", "load.traffic",
                           "load.ramp-up-strategy"})
    if (asked.has(path))
      throw options::usage_error("the load of a run would not be that of the search",
                                 "leave the flag out", {"--" + std::string(path).substr(5), 0, 0});
}

}  // namespace

find_request parse_find(std::span<const std::string> args, const options::environment& env,
                        catalog& plugins) {
  request_parser asked(options::for_serve, args, env, plugins, find_usage, find_flags());
  asked.report_several_runs();
  find_request out;
  out.load = asked.parse();
  if (!out.load.help.empty()) return out;
  out.goals = asked.own("goal").list;
  if (out.goals.empty())
    throw options::usage_error("the search has no goal", "add --goal \"ttft.p99<200ms\"");
  out.over = asked.own("over").text;
  const std::vector<std::string> between = asked.own("between").list;
  if (between.size() != 2)
    throw options::usage_error("the search needs its smallest and its largest load",
                               "add --between LO HI, for example --between 1 100");
  const bool whole = out.over == "max_concurrency";
  out.low = bound_of(between[0], whole);
  out.high = bound_of(between[1], whole);
  if (!(out.low < out.high))
    throw options::usage_error("the smallest load is not below the largest",
                               "write for example --between 1 100", {"--between", 0, 0});
  refuse_decided(asked, out.over);
  out.max_probes = asked.own("max-probes").integer;
  out.max_requests = asked.own("max-requests").integer;
  out.max_time_ns = static_cast<std::uint64_t>(asked.own("max-time").integer);
  out.min_time_ns = static_cast<std::uint64_t>(asked.own("min-time").integer);
  out.alpha = asked.own("alpha").number;
  out.precision = asked.own("precision").number;
  out.assumed_correlation = asked.own("assumed-correlation").number;
  out.settle_ns = static_cast<std::uint64_t>(asked.own("settle").integer);
  out.json = asked.own("json").text;
  out.reporters = asked.named_reporters();
  out.salted = asked.has("dataset.salt");
  return out;
}

request parse_probe(std::span<const std::string> args, std::span<const std::string> more,
                    const options::environment& env, catalog& plugins) {
  std::vector<std::string> all(args.begin(), args.end());
  all.insert(all.end(), more.begin(), more.end());
  request_parser asked(options::for_serve, all, env, plugins, find_usage, find_flags());
  asked.report_several_runs();
  return asked.parse();
}

}  // namespace inferbench::config
