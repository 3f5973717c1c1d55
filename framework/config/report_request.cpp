#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
#include "config/report_values.hpp"
#include "config/reporter_flags.hpp"
#include "config/request.hpp"
#include "config/table_reporters.hpp"
#include "config/upstream.hpp"
#include "metrics/goal.hpp"
#include "options/forwarding.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

constexpr const char* usage = "inferbench report JOURNAL... [--reporter NAME[=FILE]]... [flags]";

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
    // plugin::reporter_of() refuses a plugin with neither interface.
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

class report_parser {
 public:
  report_parser(std::span<const std::string> args, const options::environment& env,
                catalog& plugins)
      : args_(args), env_(env), plugins_(plugins), known_(shared_) {
    known_.insert(known_.end(), own_.begin(), own_.end());
  }

  report_request parse() {
    read_line();
    look_for_plugins();
    report_request out;
    if (asks_for_help()) {
      out.help = help();
      return out;
    }
    load_reporters(out.reporters);
    read_line();  // now with the flags of the reporters
    reject_rest(line_, table_of(known_), plugins_);
    refuse_unfit(out.reporters, line_.positional.size(), plugins_);
    out.warnings = std::move(line_.warnings);
    for (const options::plugin_choice& one : out.reporters)
      warn_of_hidden(one.library, out.warnings);
    for (std::size_t i = 0; i < out.reporters.size(); ++i)
      out.reporters[i].values = values().values_of(named_[i], declared_[i]);
    refuse_shared_files(out.reporters);
    refuse_collections_on_standard_output(out.reporters);
    warn_of_unheard(out.warnings);
    read_own(out);
    take_proxies(out.server, env_);
    out.journals = line_.positional;
    return out;
  }

 private:
  void read_line() { line_ = parse_flags(args_, table_of(known_).flags(), true); }

  [[nodiscard]] report_values values() const { return {line_, shared_, env_}; }

  void look_for_plugins() {
    std::vector<std::filesystem::path> folders;
    bool unsafe = false;
    for (const options::option& key : shared_) {
      const given_flag* given = line_.find(key.flag);
      if (key.table != "plugin" || given == nullptr) continue;
      const options::option_value value = values().checked(key, *given);
      for (const std::string& folder : value.list)
        folders.emplace_back(env_.expand(folder));
      if (key.type == IFB_BOOL) unsafe = value.integer != 0;
    }
    plugins_.look_in(std::move(folders), unsafe);
  }

  [[nodiscard]] bool asks_for_help() const {
    return line_.find("help") != nullptr ||
           std::ranges::find(line_.unknown, "-h") != line_.unknown.end();
  }

  [[nodiscard]] std::string help() const {
    std::vector<options::option> shown = known_;
    for (options::option& o : listed_options(plugins_, table_of(known_)))
      if (o.table == plugin::name_of(IFB_REPORTER)) shown.push_back(std::move(o));
    const given_flag* asked = line_.find("help");
    const std::string topic = asked == nullptr ? "true" : asked->values.front();
    return help_text(usage, shown, topic == "true" ? std::string_view{} : topic);
  }

  void load_reporters(std::vector<options::plugin_choice>& out) {
    std::vector<std::string> names{upstream::console_reporter};
    if (const given_flag* given = line_.find("reporter")) names = given->values;
    for (const std::string& name : names) {
      named_.push_back(parse_named_reporter(name));
      options::plugin_choice choice;
      choice.use = named_.back().use;
      choice.library = plugins_.load(IFB_REPORTER, choice.use, {});
      choice.named = true;
      declared_.push_back(declared_options(choice.library, IFB_REPORTER));
      (void)file_of(named_.back(), declared_.back(), {});  // throws if it cannot take a file
      known_.insert(known_.end(), declared_.back().begin(), declared_.back().end());
      out.push_back(std::move(choice));
    }
  }

  void warn_of_unheard(std::vector<std::string>& warnings) const {
    for (const options::option& key : shared_) {
      if (key.table != "run" || line_.find(key.flag) == nullptr) continue;
      const bool heard =
          std::ranges::any_of(declared_, [&](const std::vector<options::option>& options) {
            return hears(key.path(), options, true);
          });
      if (!heard)
        warnings.push_back("--" + key.flag +
                           " has no effect: no reporter of this report has an option " + key.name);
    }
  }

  /// The flags with which the run is judged again.
  void read_own(report_request& out) const {
    for (const options::option& flag : own_) {
      const given_flag* given = flag.table.empty() ? nullptr : line_.find(flag.flag);
      if (given == nullptr) continue;
      const options::option_value value = values().checked(flag, *given);
      if (flag.table != "thresholds")
        out.bounded = value.text == "bounded";
      else if (flag.type == IFB_BOOL)
        out.thresholds_certain = value.integer != 0;
      else
        out.thresholds = goals_of(flag, value);
    }
  }

  static std::vector<std::string> goals_of(const options::option& flag,
                                           const options::option_value& value) {
    std::vector<std::string> out;
    for (const std::string& goal : value.list) {
      try {
        out.push_back(metrics::parse_goal(goal).text());
      } catch (const base::error& why) {
        options::complain(flag, value.where, why.message(), why.remedy());
      }
    }
    return out;
  }

  std::span<const std::string> args_;
  const options::environment& env_;
  catalog& plugins_;
  const std::vector<options::option> shared_ = shared_keys();
  const std::vector<options::option> own_ = report_flags();
  std::vector<options::option> known_;  // the flags of the reporters in use, too
  command_line line_;
  std::vector<named_reporter> named_;
  std::vector<std::vector<options::option>> declared_;  // declared_[i] belongs to named_[i]
};

}  // namespace

report_request parse_report(std::span<const std::string> args, const options::environment& env,
                            catalog& plugins) {
  return report_parser(args, env, plugins).parse();
}

}  // namespace inferbench::config
