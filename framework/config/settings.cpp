#include "config/settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "config/key_table.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

constexpr std::size_t digest_size = 64;

const options::option& key_at(const std::vector<options::option>& keys, std::string_view path) {
  return *std::ranges::find_if(
      keys, [&](const options::option& key) { return key.member.empty() && key.path() == path; });
}

const options::node* file_value(const sources& from, std::string_view table,
                                std::string_view name) {
  const options::node* found = from.file.find(table);
  return found == nullptr ? nullptr : found->find(name);
}

/// The installed plugin that provides the data set with the given id of the hub in place of `hf`;
/// empty if there is no such plugin, or if the dataset is not `hf`.
std::string plugin_of_hub_id(const sources& from, const options::environment& env, catalog& plugins,
                             const std::vector<options::option>& keys) {
  if (!names_hub(from, env, keys)) return {};
  const options::option hub_name{.table = "dataset", .name = "hf-name"};
  for (const options::option& key : {key_at(keys, "dataset.path"), hub_name}) {
    std::string name(upstream::dataset_of_hub_id(value_of(key, from, env).text));
    if (!name.empty() && plugins.installed(IFB_DATASET, name)) return name;
  }
  return {};
}

class plugin_selection {
 public:
  plugin_selection(const sources& from, const options::environment& env, catalog& plugins,
                   const std::vector<options::option>& keys)
      : from_(from), env_(env), plugins_(plugins), keys_(keys) {}

  used_plugins choose() {
    used_plugins out;
    const bool whole = from_.who == options::for_serve || from_.who == options::for_run;
    if (whole) out.backend = named(IFB_BACKEND);
    if (from_.who != options::for_tokenizer) out.dataset = dataset();
    tokenizer(out);
    if (whole) out.scorer = scorer();
    if (whole && !from_.several_runs) {
      reporters(out.reporters);
      named_reporters(out.reporters);
      live_reporter(out.reporters);
    }
    return out;
  }

 private:
  used_plugin named(ifb_kind kind) {
    const std::string table(plugin::name_of(kind));
    const options::option_value use = value_of(key_at(keys_, table + ".use"), from_, env_);
    return load(kind, use.text, use.where, from_.file.find(table));
  }

  used_plugin dataset() {
    const std::string name = plugin_of_hub_id(from_, env_, plugins_, keys_);
    if (name.empty()) return named(IFB_DATASET);
    return load(IFB_DATASET, name, value_of(key_at(keys_, "dataset.use"), from_, env_).where,
                from_.file.find("dataset"));
  }

  std::optional<used_plugin> scorer() {
    if (is_given("scorer.use", from_)) return named(IFB_SCORER);
    const options::node* table = from_.file.find("scorer");
    if (table != nullptr && !table->names.empty())
      throw options::usage_error("the scorer has no name of a plugin",
                                 "add use = \"exact-match\", or --scorer NAME", table->where);
    return std::nullopt;
  }

  void tokenizer(used_plugins& out) {
    const options::option_value use = value_of(key_at(keys_, "tokenizer.use"), from_, env_);
    const options::node* table = from_.file.find("tokenizer");
    if (use.text != "auto" && use.text != "none" &&
        !(upstream::is_auto_mode(use.text) && !plugins_.installed(IFB_TOKENIZER, use.text))) {
      out.tokenizer = load(IFB_TOKENIZER, use.text, use.where, table);
      return;
    }
    if (const options::option_value digest =
            value_of(key_at(keys_, "tokenizer.sha256"), from_, env_);
        digest.is_set)
      throw options::usage_error("tokenizer.sha256 is set without the name of the plugin",
                                 "add use = \"hf\"", digest.where);
    if (use.text == "none") return;
    for (const std::string_view name : upstream::tokenizers) {
      const bool server = name == upstream::server_tokenizer;
      if (!server && !plugins_.installed(IFB_TOKENIZER, name)) continue;
      // The command `tokenizer` uses a server only if the user names a server.
      if (server && from_.who == options::for_tokenizer && out.tokenizer &&
          !is_given("server.base-url", from_) && !is_given("server.port", from_))
        continue;
      used_plugin one = load(IFB_TOKENIZER, std::string(name), use.where, table);
      if (out.tokenizer)
        out.tokenizers_after.push_back(std::move(one));
      else
        out.tokenizer = std::move(one);
    }
  }

  /// Adds the reporter of --live screen, unless it is in `out` already or --disable-tqdm is given.
  void live_reporter(std::vector<used_plugin>& out) {
    const options::option_value live = value_of(key_at(keys_, "run.live"), from_, env_);
    const bool shown = value_of(key_at(keys_, "run.progress"), from_, env_).integer != 0;
    if (!shown || !live.is_set || live.text != upstream::screen_reporter) return;
    used_plugin one = load(IFB_REPORTER, live.text, live.where, nullptr);
    if (std::ranges::none_of(out, [&](const used_plugin& other) {
          return other.library.plugin == one.library.plugin;
        }))
      out.push_back(std::move(one));
  }

  void reporters(std::vector<used_plugin>& out) {
    const options::node* entries = from_.file.find("reporter");
    if (entries == nullptr) {
      const auto on = [&](std::string_view path) {
        return value_of(key_at(keys_, path), from_, env_).integer != 0;
      };
      const auto add = [&](const char* name, const base::source_position& where) {
        out.push_back(load(IFB_REPORTER, name, where, nullptr));
      };
      add(upstream::console_reporter, {});
      const bool saved = on("run.save-result") || on("run.append-result");
      if (saved) add(upstream::result_reporter, {});
      const std::string* pytorch = env_.find(upstream::pytorch_variable);
      if (saved && pytorch != nullptr && !pytorch->empty())
        add(upstream::pytorch_reporter, {std::string(upstream::pytorch_variable), 0, 0});
      for (const auto& [path, name] : upstream::plot_reporters)
        if (on(path)) add(name, value_of(key_at(keys_, path), from_, env_).where);
      return;
    }
    for (const options::node& entry : entries->items) {
      const options::node* use = entry.find("use");
      if (use == nullptr || !use->is(options::node::kind::text))
        throw options::usage_error("the reporter has no name of a plugin",
                                   "add use = \"" + std::string(upstream::console_reporter) + "\"",
                                   use == nullptr ? entry.where : use->where);
      out.push_back(load(IFB_REPORTER, use->text, use->where, &entry));
    }
  }

  /// Adds the reporters of --reporter. A reporter is not added again if it is in `out` already and
  /// neither the file nor --reporter names a file for it.
  void named_reporters(std::vector<used_plugin>& out) {
    const std::size_t chosen = out.size();
    for (const std::string& text : from_.reporters) {
      const named_reporter asked = parse_named_reporter(text);
      used_plugin one = load(IFB_REPORTER, asked.use, {"--reporter", 0, 0}, nullptr);
      one.named = true;
      one.file = asked.file;
      (void)file_of(asked, one.options, {});  // throws if the reporter cannot take a file
      const bool elsewhere = !one.file.empty() && file_option(one.options) != nullptr;
      const auto same = std::find_if(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(chosen),
                                     [&](const auto& other) {
                                       const options::option* file = file_option(other.options);
                                       const bool own = other.table != nullptr && file != nullptr &&
                                                        other.table->find(file->name) != nullptr;
                                       return other.library.plugin == one.library.plugin && !own;
                                     });
      if (!elsewhere && same != out.begin() + static_cast<std::ptrdiff_t>(chosen))
        same->named = true;
      else
        out.push_back(std::move(one));
    }
  }

  /// The SHA-256 of the plugin's library that the table or --set requires.
  plugin::pin build_for(ifb_kind kind, const options::node* table) {
    options::option_value digest;
    if (kind == IFB_REPORTER) {
      const options::node* found = table == nullptr ? nullptr : table->find(digest_key);
      if (found == nullptr) return {};
      digest.where = found->where;
      if (found->is(options::node::kind::text)) digest.text = found->text;
    } else {
      const std::string path = std::string(plugin::name_of(kind)) + '.' + digest_key;
      digest = value_of(key_at(keys_, path), from_, env_);
      if (!digest.is_set) return {};
    }
    const std::string out = base::lower_case(digest.text);
    if (out.size() != digest_size || out.find_first_not_of("0123456789abcdef") != std::string::npos)
      throw options::usage_error(
          "sha256 is not a SHA-256 digest: 64 hexadecimal digits are expected",
          "copy it from inferbench plugin show", digest.where);
    return {out, digest.where};
  }

  used_plugin load(ifb_kind kind, const std::string& use, const base::source_position& where,
                   const options::node* table) {
    used_plugin out{kind, use, {}, {}, table};
    try {
      const plugin::pin meant = build_for(kind, table);
      out.sha256 = meant.sha256;
      out.library = plugins_.load(kind, use, meant);
      out.of_program = plugins_.came_with_program(out.library);
    } catch (const base::error& e) {
      if (e.where().known() || !where.known()) throw;
      // Upstream's parser knows all valid names, so it reports an unknown name as a usage error.
      if (kind != IFB_TOKENIZER && !plugins_.installed(kind, use))
        throw options::usage_error(e.message(), e.remedy(), where);
      throw base::error(e.message(), e.remedy(), where);
    }
    out.options = declared_options(out.library, kind);
    refuse_flags_of_the_host(out);
    return out;
  }

  // The host would take the value of such a flag, and the option could never be set.
  void refuse_flags_of_the_host(const used_plugin& plugin) const {
    for (const options::option& own : plugin.options) {
      if (own.of_run || own.flag.empty()) continue;
      if (std::ranges::find(keys_, own.flag, &options::option::flag) == keys_.end()) continue;
      throw base::error(std::string(plugin::name_of(plugin.kind)) + " " + plugin.use +
                            " declares the flag --" + own.flag + " for its option " + own.name +
                            ", but the host has this flag",
                        "leave ifb_option.flag NULL, or name another flag");
    }
  }

  const sources& from_;
  const options::environment& env_;
  catalog& plugins_;
  const std::vector<options::option>& keys_;
};

// The names of keys that are allowed in a table of the file.
std::vector<std::string> names_in(std::string_view table, const used_plugin* plugin,
                                  const std::vector<options::option>& keys) {
  std::vector<std::string> out;
  for (const options::option& key : keys) {
    if (key.table != table || !key.member.empty()) continue;
    if (key.forwarded && key.otherwise != options::undeclared::kept &&
        (plugin == nullptr || plugin->find(key.name) == nullptr))
      continue;
    if (std::ranges::find(out, key.name) == out.end()) out.push_back(key.name);
  }
  if (plugin != nullptr)
    for (const options::option& o : plugin->options)
      if (std::ranges::find(out, o.name) == out.end()) out.push_back(o.name);
  return out;
}

std::string known(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("there is {}", fmt::join(names, ", "));
}

void reject_in(const options::node& table, const std::string& title, std::vector<std::string> names,
               const used_plugin* plugin) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (std::ranges::find(names, table.names[i]) != names.end()) continue;
    std::string message = "unknown key " + title + "." + table.names[i];
    if (plugin != nullptr) message += " with " + title + " " + plugin->use;
    std::string remedy = base::did_you_mean(table.names[i], names);
    if (remedy.empty()) remedy = known(names);
    throw options::usage_error(message, remedy, table.items[i].where);
  }
}

}  // namespace

const options::option* used_plugin::find(std::string_view name) const {
  const auto found = std::ranges::find(options, name, &options::option::name);
  return found == options.end() ? nullptr : &*found;
}

const used_plugin* used_plugins::of_table(std::string_view table) const {
  for (const auto* plugin : {&backend, &dataset, &tokenizer, &scorer})
    if (plugin->has_value() && plugin::name_of((*plugin)->kind) == table) return &**plugin;
  return nullptr;
}

std::optional<options::node> given_for(const options::option& declared, std::string_view path,
                                       const options::node* in_file, const sources& from) {
  std::optional<options::node> out;
  if (in_file != nullptr) out = *in_file;
  for (const bool general : {false, true}) {
    for (const setting& s : from.line) {
      if (s.path != path || !s.member.empty() || s.general != general) continue;
      options::node value = s.value ? *s.value : options::node_of_text(declared, s.texts, s.where);
      value.where = s.where;
      if (s.merged && out)
        options::merge(*out, std::move(value));
      else
        out = std::move(value);
    }
  }
  return out;
}

options::option_value value_of(const options::option& key, const sources& from,
                               const options::environment& env) {
  const auto given = given_for(key, key.path(), file_value(from, key.table, key.name), from);
  return given ? options::check(key, *given, env) : options::fallback_of(key, env);
}

std::string name_for(options::command who, const options::option& key) {
  const std::string path = key.path() + (key.member.empty() ? "" : "." + key.member);
  return who == options::for_run || key.flag.empty() ? path : "--" + key.flag;
}

bool is_given(std::string_view path, const sources& from) {
  const auto dot = path.find('.');
  if (file_value(from, path.substr(0, dot), path.substr(dot + 1)) != nullptr) return true;
  return std::ranges::any_of(from.line,
                             [&](const setting& s) { return s.path == path && s.member.empty(); });
}

bool names_hub(const sources& from, const options::environment& env,
               const std::vector<options::option>& keys) {
  return from.who != options::for_tokenizer &&
         value_of(key_at(keys, "dataset.use"), from, env).text == upstream::hub_dataset;
}

bool asks_for_hub(const sources& from, const options::environment& env, catalog& plugins,
                  const std::vector<options::option>& keys) {
  return names_hub(from, env, keys) && (!plugins.installed(IFB_DATASET, upstream::hub_dataset) ||
                                        !plugin_of_hub_id(from, env, plugins, keys).empty());
}

used_plugins choose(const sources& from, const options::environment& env, catalog& plugins,
                    const std::vector<options::option>& keys) {
  return plugin_selection(from, env, plugins, keys).choose();
}

void check_tables(const options::node& file) {
  std::vector<std::string> all = tables();
  all.emplace_back(sweep_table);
  for (std::size_t i = 0; i < file.names.size(); ++i) {
    const std::string& name = file.names[i];
    const options::node& table = file.items[i];
    if (std::ranges::find(all, name) == all.end()) {
      const std::string remedy = base::did_you_mean(name, all);
      throw options::usage_error(
          (table.is(options::node::kind::table) ? "unknown table " : "unknown key ") + name,
          remedy.empty() ? known(all) : remedy, table.where);
    }
    const bool several = name == "reporter";
    const bool good = several ? table.is(options::node::kind::list) && !table.items.empty()
                              : table.is(options::node::kind::table);
    if (!good || !std::ranges::all_of(table.items, [&](const options::node& item) {
          return !several || item.is(options::node::kind::table);
        }))
      throw options::usage_error(name + " must be a " + (several ? "list of tables" : "table"),
                                 "write " + (several ? "[[" + name + "]]" : "[" + name + "]"),
                                 table.where);
  }
}

void reject_unknown(const sources& from, const used_plugins& used,
                    const std::vector<options::option>& keys) {
  for (std::size_t i = 0; i < from.file.names.size(); ++i) {
    const std::string& name = from.file.names[i];
    const options::node& table = from.file.items[i];
    if (name == "reporter") continue;
    const used_plugin* plugin = used.of_table(name);
    std::vector<std::string> names = names_in(name, plugin, keys);
    if (name == "tokenizer")
      for (const used_plugin& after : used.tokenizers_after)
        for (const options::option& o : after.options)
          names.push_back(o.name);
    reject_in(table, name, std::move(names), plugin);
  }
  for (const used_plugin& reporter : used.reporters) {
    if (reporter.table == nullptr) continue;
    std::vector<std::string> names = names_in("reporter", &reporter, keys);
    names.emplace_back("use");
    names.emplace_back("sha256");
    reject_in(*reporter.table, "reporter", std::move(names), &reporter);
  }
}

}  // namespace inferbench::config
