#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/command_flags.hpp"
#include "config/flag_table.hpp"
#include "config/flags.hpp"
#include "config/help.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_server.hpp"
#include "config/reporter_flags.hpp"
#include "config/request.hpp"
#include "config/table_reporters.hpp"
#include "config/upstream.hpp"
#include "metrics/goal.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/forwarding.hpp"
#include "options/refusal.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

constexpr const char* usage = "inferbench report JOURNAL... [--reporter NAME[=FILE]]... [flags]";

constexpr const char* reporters_help =
    "Reporters to use; console if none is given; NAME=FILE: it writes to FILE in "
    "--result-dir; NAME=-: to standard output. Several journals need reporters that show several "
    "runs side by side";

options::option summary_flag() {
  auto keys = host_keys();
  options::option out = std::move(*std::ranges::find(keys, "summary", &options::option::flag));
  out.help += "; if not given, as the run had it";
  out.group = "general";
  out.fallback.reset();
  return out;
}

/// The flags of goals, by which the run is judged again.
std::vector<options::option> goal_flags() {
  std::vector<options::option> out;
  for (options::option& key : host_keys())
    if (key.table == "thresholds") {
      key.help += "; if not given, as the run had it";
      key.group = "general";
      key.fallback.reset();
      out.push_back(std::move(key));
    }
  return out;
}

options::option help_flag() {
  options::option out;
  out.flag = "help";
  out.help = "Show this text";
  out.group = "general";
  out.takes = options::arity::none;
  return out;
}

/// The keys of serve that `report` takes, too: keys that set options of reporters, and the plugin
/// folders.
std::vector<options::option> shared_keys() {
  std::vector<options::option> out;
  for (options::option& key : host_keys())
    if (!key.flag.empty() &&
        (key.table == "plugin" || options::is_forwarded(IFB_REPORTER, key.path())))
      out.push_back(std::move(key));
  return out;
}

flag_table table_of(const std::vector<options::option>& options) {
  flag_table out;
  for (const options::option& o : options)
    out.add(o);
  return out;
}

void reject_rest(const command_line& line, const flag_table& known, catalog& plugins) {
  if (!line.unknown.empty()) {
    std::string remedy = of_idle_reporter(line.unknown.front(), plugins, known);
    if (remedy.empty()) remedy = base::did_you_mean(line.unknown.front(), known.names());
    throw base::error("unknown flag " + line.unknown.front(),
                      remedy.empty() ? "--help lists all" : remedy);
  }
  if (line.positional.empty())
    throw base::error("no journal is named", std::string("usage: ") + usage);
}

/// Throws if a reporter does not offer the interface that the number of journals requires.
void refuse_unfit(std::span<const options::plugin_choice> reporters, std::size_t journals,
                  catalog& plugins) {
  const bool several = journals > 1;
  const char* const needed = several ? IFB_TABLE_REPORTER_OPS : IFB_REPORTER_OPS;
  for (const options::plugin_choice& one : reporters) {
    if (one.library.query(needed) != nullptr) continue;
    // A plugin without any interface is refused later, with the interfaces that it offers.
    if (!several && one.library.query(IFB_TABLE_REPORTER_OPS) == nullptr) continue;
    const std::string others = reporters_with(needed, plugins);
    const std::string fit = others.empty() ? std::string() : ": " + others;
    throw base::error(
        "reporter " + one.use +
            (several ? " shows one run, and not " + std::to_string(journals) + " side by side"
                     : " shows several runs side by side, and one journal is named"),
        several ? "report each journal alone, or use a reporter of several runs" + fit
                : "name more journals, or use a reporter of one run" + fit,
        {"--reporter", 0, 0});
  }
}

class reading {
 public:
  reading(const options::environment& env, const command_line& line,
          const std::vector<options::option>& shared)
      : env_(env), line_(line), shared_(shared) {}

  /// The value of the option `own`, one of the options `all` of the reporter `asked`: from its own
  /// flag, for the reporter's file from --reporter, otherwise from the flag of the shared key that
  /// sets it, otherwise its default.
  [[nodiscard]] options::option_value value(const named_reporter& asked,
                                            const std::vector<options::option>& all,
                                            const options::option& own) const {
    std::optional<options::node> given;
    if (const given_flag* flag = line_.find(own.flag); flag != nullptr && !own.flag.empty())
      given = node_of(own, *flag);
    if (&own == file_option(all)) {
      const result_place result{text_of("run.result-dir"), text_of("run.result-filename")};
      if (auto file = file_value(asked, all, given, result, env_)) return *std::move(file);
    } else if (given) {
      return options::check(own, *given, env_);
    }
    if (const options::option* key = shared_key(own))
      if (const given_flag* flag = line_.find(key->flag))
        return options::converted(own, *key, checked(*key, *flag), env_);
    return options::fallback_of(own, env_);
  }

  /// The flag that sets `own`.
  [[nodiscard]] std::string flag_of(const options::option& own) const {
    const options::option* key = shared_key(own);
    return own.flag.empty() && key != nullptr ? key->flag : own.flag;
  }

  [[nodiscard]] options::option_value checked(const options::option& o,
                                              const given_flag& given) const {
    return options::check(o, node_of(o, given), env_);
  }

 private:
  static options::node node_of(const options::option& o, const given_flag& given) {
    if (given.dotted) return *given.dotted;
    return options::node_of_text(o, given.values, {"--" + given.name, 0, 0});
  }

  /// The text that the flag of a shared key gives; empty if it is not on the line.
  [[nodiscard]] std::string text_of(std::string_view path) const {
    const options::option& key = *std::ranges::find(shared_, path, &options::option::path);
    const given_flag* given = line_.find(key.flag);
    return given == nullptr ? std::string{} : checked(key, *given).text;
  }

  const options::option* shared_key(const options::option& own) const {
    const std::string_view path = options::forwarded_path(own);
    const auto key = std::ranges::find(shared_, path, &options::option::path);
    return key == shared_.end() ? nullptr : &*key;
  }

  const options::environment& env_;
  const command_line& line_;
  const std::vector<options::option>& shared_;
};

}  // namespace

report_request parse_report(std::span<const std::string> args, const options::environment& env,
                            catalog& plugins) {
  std::vector<options::option> known = shared_keys();
  const std::vector<options::option> shared = known;
  known.push_back(reporter_flag(reporters_help));
  known.push_back(summary_flag());
  const std::vector<options::option> goals = goal_flags();
  known.insert(known.end(), goals.begin(), goals.end());
  known.push_back(help_flag());
  command_line line = parse_flags(args, table_of(known).flags(), true);

  report_request out;
  const reading first(env, line, shared);
  std::vector<std::filesystem::path> folders;
  bool unsafe = false;
  for (const options::option& key : shared) {
    const given_flag* given = line.find(key.flag);
    if (key.table != "plugin" || given == nullptr) continue;
    const options::option_value value = first.checked(key, *given);
    for (const std::string& folder : value.list)
      folders.emplace_back(env.expand(folder));
    if (key.type == IFB_BOOL) unsafe = value.integer != 0;
  }
  plugins.look_in(std::move(folders), unsafe);

  const given_flag* asked = line.find("help");
  if (asked != nullptr || std::ranges::find(line.unknown, "-h") != line.unknown.end()) {
    for (options::option& o : listed_options(plugins, table_of(known)))
      if (o.table == plugin::name_of(IFB_REPORTER)) known.push_back(std::move(o));
    const std::string topic = asked == nullptr ? "true" : asked->values.front();
    out.help = help_text(usage, known, topic == "true" ? std::string_view{} : topic);
    return out;
  }

  std::vector<std::string> names{upstream::console_reporter};
  if (const given_flag* given = line.find("reporter")) names = given->values;
  std::vector<named_reporter> named;
  std::vector<std::vector<options::option>> declared;
  for (const std::string& name : names) {
    named.push_back(parse_named_reporter(name));
    options::plugin_choice choice;
    choice.use = named.back().use;
    choice.library = plugins.load(IFB_REPORTER, choice.use, {});
    choice.named = true;
    declared.emplace_back();
    for (const ifb_option* o : choice.library.options())
      declared.back().push_back(options::option_of(*o, IFB_REPORTER, choice.library.id()));
    (void)file_of(named.back(), declared.back(), {});  // throws if the reporter cannot take a file
    known.insert(known.end(), declared.back().begin(), declared.back().end());
    out.reporters.push_back(std::move(choice));
  }

  const flag_table all = table_of(known);
  line = parse_flags(args, all.flags(), true);
  reject_rest(line, all, plugins);
  refuse_unfit(out.reporters, line.positional.size(), plugins);
  out.warnings = std::move(line.warnings);
  for (const options::plugin_choice& one : out.reporters)
    warn_of_hidden(one.library, out.warnings);
  const reading again(env, line, shared);
  for (std::size_t i = 0; i < out.reporters.size(); ++i) {
    for (const options::option& own : declared[i]) {
      options::option_value value = again.value(named[i], declared[i], own);
      if (own.required && !value.is_set)
        throw base::error("reporter " + out.reporters[i].use + " needs " + own.name,
                          "set --" + again.flag_of(own));
      out.reporters[i].values.push_back(std::move(value));
    }
  }
  refuse_shared_files(out.reporters);
  refuse_collections_on_standard_output(out.reporters);
  for (const options::option& key : shared) {
    const bool heard =
        std::ranges::any_of(declared, [&](const std::vector<options::option>& options) {
          return hears(key.path(), options, true);
        });
    if (key.table == "run" && !heard && line.find(key.flag) != nullptr)
      out.warnings.push_back(
          "--" + key.flag + " has no effect: no reporter of this report has an option " + key.name);
  }
  if (const options::option summary = summary_flag();
      const given_flag* given = line.find(summary.flag))
    out.bounded = again.checked(summary, *given).text == "bounded";
  for (const options::option& key : goals) {
    const given_flag* given = line.find(key.flag);
    if (given == nullptr) continue;
    const options::option_value value = again.checked(key, *given);
    if (key.type == IFB_BOOL) {
      out.thresholds_certain = value.integer != 0;
      continue;
    }
    auto& texts = out.thresholds.emplace();
    for (const std::string& goal : value.list) {
      try {
        texts.push_back(metrics::parse_goal(goal).text());
      } catch (const base::error& why) {
        options::complain(key, value.where, why.message(), why.remedy());
      }
    }
  }
  take_proxies(out.server, env);
  out.journals = line.positional;
  return out;
}

}  // namespace inferbench::config
