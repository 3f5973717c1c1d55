#include "config/plan_texts.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "config/flag_settings.hpp"
#include "config/key_table.hpp"
#include "config/keys.hpp"
#include "config/plugin_values.hpp"
#include "config/print.hpp"

namespace inferbench::config {

namespace {

options::option_value text_value(std::string text, base::source_position where) {
  options::option_value out;
  out.type = IFB_STRING;
  out.is_set = true;
  out.text = std::move(text);
  out.where = std::move(where);
  return out;
}

// The tables of the configuration that the run uses. The plugins of the plan are made with their
// tables, because both have the same values.
class resolved_configuration {
 public:
  resolved_configuration(const key_values& values, const sources& from, const used_plugins& used,
                         const options::environment& env, const std::vector<options::option>& keys)
      : values_(values), from_(from), used_(used), keys_(keys), plugins_(values, from, env, keys) {}

  // The table `name` of the file. Adds the plugin of the table to `out`.
  resolved_table of_table(const std::string& name, plan& out) const {
    resolved_table table{name, {}};
    const used_plugin* plugin = used_.of_table(name);
    for (const options::option& k : keys_)
      if (k.table == name && printed(k, plugin, table)) table.keys.push_back({k, shown(k)});
    if (plugin != nullptr) {
      options::plugin_choice choice = plugins_.choice_of(*plugin, table);
      if (name == "backend")
        out.backend = std::move(choice);
      else if (name == "dataset")
        out.dataset = std::move(choice);
      else if (name == "tokenizer")
        out.tokenizer = std::move(choice);
      else
        out.scorer = std::move(choice);
    }
    if (name == "tokenizer")
      for (const used_plugin& after : used_.tokenizers_after)
        out.tokenizers_after.push_back(plugins_.choice_after(after, table));
    return table;
  }

  // The entry of a reporter in the list of reporters. Adds the reporter to `out`.
  resolved_table of_reporter(const used_plugin& reporter, plan& out) const {
    resolved_table table{"reporter", {}};
    const auto add = [&](const char* name, const std::string& text) {
      const options::node* given = reporter.table == nullptr ? nullptr : reporter.table->find(name);
      base::source_position where;
      if (given != nullptr)
        where = given->where;
      else if (reporter.named)
        where.file = "--reporter";
      table.keys.push_back({.declared = {.table = "reporter", .name = name},
                            .value = text_value(text, std::move(where))});
    };
    add("use", reporter.use);
    if (!reporter.sha256.empty()) add(digest_key, reporter.sha256);
    out.reporters.push_back(plugins_.choice_of(reporter, table));
    return table;
  }

 private:
  bool printed(const options::option& k, const used_plugin* plugin,
               const resolved_table& table) const {
    if (!k.member.empty()) return false;
    if (from_.who != options::for_run && (k.commands & from_.who) == 0) return false;
    const std::string path = k.path();
    const bool whole = values_.at("server.base-url").is_set;
    if (whole && (path == "server.host" || path == "server.port")) return false;
    const bool declared = plugin != nullptr && plugin->find(k.name) != nullptr;
    const bool elsewhere = k.forwarded && (declared || k.otherwise != options::undeclared::kept);
    const bool twice = std::ranges::any_of(
        table.keys, [&](const resolved_key& r) { return r.declared.name == k.name; });
    return !elsewhere && !twice;
  }

  options::option_value shown(const options::option& k) const {
    if (k.name != "use") return values_.at(k.path());
    const base::source_position& where = values_.at(k.path()).where;
    if (!used_.tokenizers_after.empty() && k.table == "tokenizer") return text_value("auto", where);
    const used_plugin* plugin = used_.of_table(k.table);
    if (plugin == nullptr && k.table == "scorer") return {};
    return text_value(plugin == nullptr ? "none" : plugin->use, where);
  }

  const key_values& values_;
  const sources& from_;
  const used_plugins& used_;
  const std::vector<options::option>& keys_;
  plugin_values plugins_;
};

}  // namespace

void fill_texts(plan& out, const key_values& values, const sources& from, const used_plugins& used,
                const options::environment& env, const std::vector<options::option>& keys) {
  const resolved_configuration resolved(values, from, used, env, keys);
  std::vector<resolved_table> document;
  for (const std::string& name : tables())
    if (name != "reporter") document.push_back(resolved.of_table(name, out));
  for (const used_plugin& reporter : used.reporters)
    document.push_back(resolved.of_reporter(reporter, out));
  out.toml = to_toml(document);
  out.toml_with_places = to_toml(document, places::shown);
  out.json = to_json(document);
  out.flags = settings_by_flag(document, from, env, keys, used.reporters).all();
}

}  // namespace inferbench::config
