#include "config/request_parser.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "config/command_flags.hpp"
#include "config/keys.hpp"
#include "config/layers.hpp"
#include "config/missing_plugin_flags.hpp"
#include "config/overrides.hpp"
#include "config/plan_builder.hpp"
#include "config/reporter_flags.hpp"
#include "config/request_help.hpp"
#include "config/sweep_files.hpp"
#include "config/upstream.hpp"
#include "options/refusal.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::config {

request_parser::request_parser(options::command who, std::span<const std::string> args,
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

request request_parser::parse() {
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

std::vector<options::option> request_parser::options_of_dataset() {
  command_line line = parse_flags(args_, table_.flags(), false);
  given_.read(line, {}, from_);
  look(line);
  const used_plugins used = resolve(line, false);
  return used.dataset ? used.dataset->options : std::vector<options::option>{};
}

void request_parser::report_several_runs() { from_.several_runs = true; }

const std::vector<std::string>& request_parser::named_reporters() const noexcept {
  return from_.reporters;
}

bool request_parser::has(std::string_view path) const { return is_given(path, from_); }

options::option_value request_parser::own(std::string_view name) const { return given_.own(name); }

std::optional<options::node> request_parser::table_of_experiment() {
  std::optional<options::node> out = take_sweep(from_);
  if (given_.own(ignore_sweep_flag).integer != 0) out.reset();
  for (const options::option& flag : sweep_flags())
    if (!out && given_.own(flag.flag).integer != 0)
      throw options::usage_error("the run is no experiment",
                                 "leave the flag out, or give a file with a table [sweep]",
                                 {"--" + flag.flag, 0, 0});
  return out;
}

request request_parser::experiment(const command_line& line, const options::node& table) {
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

plan request_parser::single_run(std::span<const std::string> args) {
  request_parser run(from_.who, args, env_, plugins_, usage_, given_.own_flags());
  plan out = run.parse().plan;
  if (known_.empty()) known_ = std::move(run.known_);
  return out;
}

used_plugins request_parser::resolve(command_line& line, bool short_form) {
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

used_plugins request_parser::resolve_run(command_line& line, bool short_form) {
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

flag_table request_parser::with(const used_plugins& used) const {
  flag_table out = table_;
  for_each(used, [&](const used_plugin& p) { out.add(p.options, from_.who); });
  return out;
}

bool request_parser::for_hub() const { return asks_for_hub(from_, env_, plugins_, keys_); }

void request_parser::read_for_hub(const command_line& line, const used_plugins& used) {
  given_.read(line, used, from_);
  if (names_hub(from_, env_, keys_)) given_.read_hub_flags(line, used, from_);
}

void request_parser::look(const command_line& line) {
  if (from_.who == options::for_run && !asks_for_help(line)) {
    if (line.positional.empty()) throw options::usage_error("no file is named", "usage: " + usage_);
    read_files(line);
  }
  look_for_plugins();
}

void request_parser::look_for_plugins() {
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

void request_parser::read_files(const command_line& line) {
  files_ = std::min(line.certain, line.positional.size());
  if (files_ == 0) reject_rest(line);
  from_.file = read_layers(std::span(line.positional).first(files_), env_);
}

void request_parser::reject_rest(const command_line& line) const { reject_rest(line, table_); }

void request_parser::reject_rest(const command_line& line, const flag_table& known) const {
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

bool request_parser::asks_for_help(const command_line& line) {
  return line.find("help") != nullptr ||
         std::ranges::find(line.unknown, "-h") != line.unknown.end();
}

request request_parser::help(const command_line& line) {
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

std::vector<std::string> request_parser::given_by_path() const {
  std::vector<std::string> out;
  for (const char* path : {"backend.use", "dataset.use", "tokenizer.use"}) {
    const auto key = std::ranges::find_if(
        keys_, [&](const options::option& k) { return k.path() == path && k.member.empty(); });
    const options::option_value use = value_of(*key, from_, env_);
    if (use.text.find('/') != std::string::npos) out.push_back(use.text);
  }
  return out;
}

}  // namespace inferbench::config
