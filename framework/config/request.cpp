#include "config/request.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "config/command_flags.hpp"
#include "config/flag_settings.hpp"
#include "config/flag_table.hpp"
#include "config/flags.hpp"
#include "config/keys.hpp"
#include "config/missing_plugin_flags.hpp"
#include "config/overrides.hpp"
#include "config/plan_builder.hpp"
#include "config/request_help.hpp"
#include "config/settings.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

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
        own_(std::move(own)) {
    from_.who = who;
    table_.add(own_, who);
    table_.add(keys_, who);
  }

  request parse() {
    command_line line = parse_flags(args_, table_.flags(), false);
    const bool short_form =
        std::ranges::any_of(line.unknown, [&](const auto& name) { return table_.begins(name); });
    if (short_form) line = parse_flags(args_, table_.flags(), true);
    hear(line, {}, false);
    look(line);
    if (asks_for_help(line)) return help(line);
    if (from_.who == options::for_run) read_file(line);
    const used_plugins used = resolve(line, short_form);
    resolve_sets(from_, used, keys_);
    reject_unknown(from_, used, keys_);
    request out;
    out.line = command_echo(line, all_options(used));
    note_spelling(line, used);
    out.warnings = std::move(line.warnings);
    out.plan = build_plan(from_, used, env_, keys_, out.warnings);
    out.plan.flags.insert(out.plan.flags.end(), unused_.all().begin(), unused_.all().end());
    out.print_config =
        line.find("print-config") != nullptr && line.find("print-config")->values.front() == "true";
    return out;
  }

  /// The value of a flag from `own`, or its default. Valid after parse().
  [[nodiscard]] options::option_value own(std::string_view name) const {
    if (const auto at = own_values_.find(name); at != own_values_.end()) return at->second;
    return options::fallback_of(*std::ranges::find(own_, name, &options::option::flag), env_);
  }

 private:
  // Reads the line again with the flags of plugins, until all flags are known.
  used_plugins resolve(command_line& line, bool short_form) {
    if (line.unknown.empty() && !(short_form && from_.who != options::for_run)) {
      reject_rest(line);
      return choose(from_, env_, plugins_, keys_);
    }
    if (from_.who == options::for_run) return resolve_run(line, short_form);
    // This is not possible for the dataset `hf`, because an unknown flag may choose its plugin.
    if (!short_form && !asks_for_hub(from_, env_, plugins_, keys_)) {
      used_plugins used = choose(from_, env_, plugins_, keys_);
      flag_table wider = with(used);
      command_line again = parse_flags(args_, wider.flags(), false);
      if (again.unknown.empty()) {
        line = std::move(again);
        hear(line, used, false);
        reject_rest(line);
        return used;
      }
    }
    idle_ = listed_options(plugins_, table_);
    flag_table wider = table_;
    wider.add(idle_, from_.who);
    missing_ = missing_plugin_flags(wider);
    wider.add(missing_, from_.who);
    line = parse_flags(args_, wider.flags(), true);
    hear(line, {}, true);
    used_plugins used = choose(from_, env_, plugins_, keys_);
    wider = with(used);
    wider.add(idle_, from_.who);
    wider.add(missing_, from_.who);
    line = parse_flags(args_, wider.flags(), true);
    hear(line, used, true);
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
    hear(line, used, false);
    reject_rest(line, wider);
    return used;
  }

  flag_table with(const used_plugins& used) const {
    flag_table out = table_;
    for_each(used, [&](const used_plugin& p) { out.add(p.options, from_.who); });
    return out;
  }

  std::vector<options::option> all_options(const used_plugins& used) const {
    std::vector<options::option> out = own_;
    out.insert(out.end(), keys_.begin(), keys_.end());
    for_each(used, [&](const used_plugin& p) {
      out.insert(out.end(), p.options.begin(), p.options.end());
    });
    out.insert(out.end(), idle_.begin(), idle_.end());
    out.insert(out.end(), missing_.begin(), missing_.end());
    return out;
  }

  // Adds warnings about old spellings and about flags of plugins that this run does not use.
  void note_spelling(command_line& line, const used_plugins& used) const {
    const bool for_hub =
        used.dataset && asks_for_hub(from_, env_, plugins_, keys_);  // another dataset replaces
                                                                     // `hf`
    if (for_hub)
      line.warnings.push_back("dataset " + std::string(upstream::hub_dataset) + " is read as " +
                              used.dataset->use + " for that id");
    std::vector<std::pair<std::string, std::vector<std::string>>>
        idle;  // pairs of a reason and its flags
    for (const given_flag& g : line.flags) {
      const auto key = std::ranges::find(keys_, g.name, &options::option::flag);
      if (key != keys_.end()) {
        if (!key->instead.empty())
          line.warnings.push_back("--" + g.name + " is an old spelling of --" + key->instead);
        continue;
      }
      const options::option* other = idle_option(g.name, used);
      if (other == nullptr || (for_hub && !path_for_hub(g.name).empty())) continue;
      const bool is_missing =
          std::ranges::find(missing_, g.name, &options::option::flag) != missing_.end();
      const std::string why = !is_missing ? other->group + " is not in use"
                              : for_hub && of_hub(*other)
                                  ? "dataset " + used.dataset->use + " has no such option"
                                  : other->group + " is not installed";
      const auto same = std::ranges::find(idle, why, &decltype(idle)::value_type::first);
      if (same == idle.end())
        idle.push_back({why, {"--" + g.name}});
      else
        same->second.push_back("--" + g.name);
    }
    for (const auto& [why, names] : idle) {
      line.warnings.push_back(fmt::format("{} {} no effect: {}", fmt::join(names, ", "),
                                          names.size() == 1 ? "has" : "have", why));
    }
  }

  // The declaration of a flag that only plugins that are not in use declare; nullptr for other
  // flags.
  [[nodiscard]] const options::option* idle_option(const std::string& name,
                                                   const used_plugins& used) const {
    if (std::ranges::find(own_, name, &options::option::flag) != own_.end()) return nullptr;
    bool in_use = false;
    for_each(used, [&](const used_plugin& p) {
      in_use |= std::ranges::find(p.options, name, &options::option::flag) != p.options.end();
    });
    if (in_use) return nullptr;
    for (const auto* options : {&idle_, &missing_})
      if (const auto at = std::ranges::find(*options, name, &options::option::flag);
          at != options->end())
        return &*at;
    return nullptr;
  }

  static bool of_hub(const options::option& o) {
    return o.group == "dataset " + std::string(upstream::hub_dataset);
  }

  // The path of the key that a flag of `hf` sets if another dataset replaces `hf`; empty if the
  // flag sets no key.
  static std::string_view path_for_hub(std::string_view flag) {
    if (flag == "hf-name") return hub_name_path;
    return flag == "hf-output-len" ? std::string_view("dataset.output-len") : std::string_view{};
  }

  template <typename visitor>
  static void for_each(const used_plugins& used, visitor&& visit) {
    for (const auto* p : {&used.backend, &used.dataset, &used.tokenizer})
      if (p->has_value()) visit(**p);
    for (const auto* several : {&used.tokenizers_after, &used.reporters})
      for (const used_plugin& p : *several)
        visit(p);
  }

  // Turns the flags of `line` into settings of keys. `all`: `line` may contain flags of plugins
  // that are not used.
  void hear(const command_line& line, const used_plugins& used, bool all) {
    from_.line.clear();
    from_.reporters.clear();
    unused_ = {};
    for (const given_flag& g : line.flags) {
      if (const auto own = std::ranges::find(own_, g.name, &options::option::flag);
          own != own_.end()) {
        if (own->type == IFB_BOOL || own->fallback)
          own_values_[g.name] = options::check(*own, node_for(*own, g), env_);
        if (g.name == "set")
          for (const std::string& text : g.values)
            from_.line.push_back(setting_of_text(text));
        if (g.name == "reporter") from_.reporters = g.values;
        continue;
      }
      bool heard = false;
      for (const options::option& key : keys_)
        if (key.flag == g.name) heard = say(key, key.path(), g);
      if (heard) continue;
      for_each(used, [&](const used_plugin& p) {
        for (const options::option& o : p.options) {
          if (o.flag != g.name) continue;
          const std::string path = p.kind == IFB_REPORTER
                                       ? "reporter." + std::string(p.library.id()) + "." + o.name
                                       : o.path();
          heard = say(o, path, g);
        }
      });
      if (heard || !all) continue;
      // A flag of a plugin that this run does not use is accepted, as in upstream.
      if (const options::option* other = idle_option(g.name, used))
        unused_.add(*other, check_idle(*other, node_for(*other, g), env_));
    }
    if (!all || !asks_for_hub(from_, env_, plugins_, keys_)) return;
    for (const given_flag& g : line.flags)
      if (const std::string_view path = path_for_hub(g.name); !path.empty())
        if (const options::option* other = idle_option(g.name, used))
          say(*other, std::string(path), g);
  }

  static options::node node_for(const options::option& o, const given_flag& g) {
    options::node out =
        g.dotted ? *g.dotted : options::node_of_text(o, g.values, {"--" + g.name, 0, 0});
    out.where = {"--" + g.name, 0, 0};
    return out;
  }

  bool say(const options::option& o, const std::string& path, const given_flag& g) {
    setting s;
    s.path = path;
    s.member = o.member;
    s.texts = g.values;
    s.where = {"--" + g.name, 0, 0};
    s.general = o.general;
    s.value = g.dotted;
    if (!o.sets.empty()) {
      if (g.values.front() != "true" && g.values.front() != "false")
        throw options::usage_error("expected true or false, not \"" + g.values.front() + "\"",
                                   "give the flag alone, or with =true or =false", s.where);
      const bool set = g.values.front() == "true";
      if (o.type != IFB_BOOL && !set) return true;
      s.value = options::parse_toml_literal(o.sets, s.where.file);
      if (!set) s.value = options::node::of(!s.value->boolean);
    }
    from_.line.push_back(std::move(s));
    return true;
  }

  void look(const command_line& line) {
    std::vector<std::filesystem::path> folders;
    const auto value = [&](std::string_view path) {
      const auto key =
          std::ranges::find_if(keys_, [&](const options::option& k) { return k.path() == path; });
      return value_of(*key, from_, env_);
    };
    if (from_.who == options::for_run && !asks_for_help(line)) {
      if (line.positional.empty())
        throw options::usage_error("no file is named", "usage: " + usage_);
      read_file(line);
    }
    for (const std::string& folder : value("plugin.dir").list)
      folders.emplace_back(env_.expand(folder));
    plugins_.look_in(std::move(folders), value("plugin.allow-unsafe").integer != 0);
  }

  void read_file(const command_line& line) {
    if (!from_.file.items.empty()) return;
    const std::string& path = line.positional.front();
    from_.file = options::parse_toml(text_of_file(path), path, env_);
    check_tables(from_.file);
  }

  static std::string text_of_file(const std::string& path) {
    try {
      return base::read_file(path);
    } catch (const base::error& e) {
      throw base::error(e.message(), e.remedy().empty() ? "correct the path" : e.remedy(),
                        e.where());
    }
  }

  void reject_rest(const command_line& line) const { reject_rest(line, table_); }

  void reject_rest(const command_line& line, const flag_table& known) const {
    if (!line.unknown.empty()) {
      std::string remedy = of_other_command(line.unknown.front(), from_.who, known, keys_);
      if (remedy.empty()) remedy = of_general_flag(line.unknown.front(), known);
      if (remedy.empty()) remedy = base::did_you_mean(line.unknown.front(), known.names());
      if (remedy.empty()) remedy = "--help lists all";
      throw options::usage_error("unknown flag " + line.unknown.front(), remedy);
    }
    const std::size_t files = from_.who == options::for_run ? 1 : 0;
    if (line.positional.size() > files)
      throw options::usage_error("unexpected argument \"" + line.positional[files] + "\"",
                                 "flags begin with --; usage: " + usage_);
  }

  static bool asks_for_help(const command_line& line) {
    return line.find("help") != nullptr ||
           std::ranges::find(line.unknown, "-h") != line.unknown.end();
  }

  request help(const command_line& line) {
    const given_flag* asked = line.find("help");
    request out;
    out.help =
        help_of(from_.who, usage_, own_, keys_, listed_options(plugins_, table_, given_by_path()),
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
  std::vector<options::option> own_;
  std::map<std::string, options::option_value, std::less<>> own_values_;
  std::vector<options::option> idle_;     // options of all installed plugins
  std::vector<options::option> missing_;  // options of upstream's datasets that are not installed
  flag_settings unused_;                  // flags of plugins that this run does not use
  flag_table table_;
  sources from_;
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
                        "inferbench run FILE.toml [--set TABLE.KEY=VALUE]... [flags]",
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

}  // namespace inferbench::config
