#include "config/plugin_values.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_server.hpp"
#include "options/check.hpp"
#include "options/forwarding.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

/// Whether the value may come later: if the user names no model, the server does.
bool comes_later(const used_plugin& used, const options::option& declared) {
  return declared.of_run && declared.name == "model" &&
         (used.kind == IFB_BACKEND || used.kind == IFB_TOKENIZER);
}

std::string path_for(const used_plugin& used, const options::option& declared) {
  if (used.kind != IFB_REPORTER) return declared.path();
  return "reporter." + std::string(used.library.id()) + "." + declared.name;
}

}  // namespace

options::plugin_choice plugin_values::choice_of(const used_plugin& used,
                                                resolved_table& table) const {
  options::plugin_choice out;
  out.library = used.library;
  out.use = used.use;
  out.named = used.named;
  for (const options::option& declared : used.options) {
    bool printed = true;
    options::option_value value = value_for(used, declared, printed);
    value.type = declared.type;
    if (declared.required && !value.is_set && !comes_later(used, declared))
      throw base::error(declared.table + " " + used.use + " needs " + declared.name,
                        "set " + spelling(declared),
                        used.table == nullptr ? base::source_position{} : used.table->where);
    if (printed) table.keys.push_back({declared, value});
    out.values.push_back(std::move(value));
  }
  return out;
}

options::plugin_choice plugin_values::choice_after(const used_plugin& used,
                                                   resolved_table& table) const {
  resolved_table own{table.name, {}};
  options::plugin_choice out = choice_of(used, own);
  for (resolved_key& key : own.keys)
    if (key.value.where.known() && std::ranges::none_of(table.keys, [&](const resolved_key& other) {
          return other.declared.name == key.declared.name;
        }))
      table.keys.push_back(std::move(key));
  return out;
}

/// `printed` becomes false if the value is printed with the host key that it comes from.
options::option_value plugin_values::value_for(const used_plugin& used,
                                               const options::option& declared,
                                               bool& printed) const {
  if (used.kind == IFB_BACKEND && declared.of_run &&
      (declared.name == "model" || declared.name == "api-key")) {
    printed = false;
    return declared.name == "model" ? payload_model() : api_key(declared);
  }
  if (used.kind == IFB_BACKEND && is_derived(declared.path()))
    return options::converted(declared, values_.key(declared.path()), values_.at(declared.path()),
                              env_);
  const options::node* in_file = used.table == nullptr ? nullptr : used.table->find(declared.name);
  const auto given = given_for(declared, path_for(used, declared), in_file, from_);
  if (used.kind == IFB_REPORTER && &declared == file_option(used.options)) {
    if (auto file = file_for(used, given)) return *std::move(file);
  } else if (given) {
    return options::check(declared, *given, env_);
  }
  if (const std::string_view host = options::forwarded_path(declared); !host.empty()) {
    printed = false;
    const options::option_value& value = values_.at(host);
    if (value.is_set) return options::converted(declared, values_.key(host), value, env_);
  }
  return options::fallback_of(declared, env_);
}

/// The file of a reporter, see file_value().
std::optional<options::option_value> plugin_values::file_for(
    const used_plugin& used, const std::optional<options::node>& given) const {
  // A reporter of the file whose option has a default writes beside the result, like a reporter
  // that --reporter names.
  std::optional<named_reporter> asked;
  if (used.named || used.table != nullptr) asked.emplace(named_reporter{used.use, used.file});
  std::optional<options::option_value> out =
      file_value(asked, used.options, given,
                 {values_.at("run.result-dir").text, values_.at("run.result-filename").text}, env_);
  if (out && !given && !used.named) out->where = {};
  return out;
}

/// Whether derive() set the value, so that it differs from the user's value.
bool plugin_values::is_derived(std::string_view path) const {
  if (path == "backend.extra-body") return values_.at(path).is_set;
  return path == "backend.ignore-eos" && values_.on(path);
}

options::option_value plugin_values::payload_model() const {
  const options::option_value& model = values_.at("backend.model");
  const options::option_value& served = values_.at("backend.served-model-name");
  return model.is_set && served.is_set && !served.text.empty() ? served : model;
}

options::option_value plugin_values::api_key(const options::option& declared) const {
  options::option_value out;
  out.type = declared.type;
  out.text = api_key_of(values_, env_);
  out.is_set = !out.text.empty();
  return out;
}

/// The flag or key that sets a plugin's option in this command.
std::string plugin_values::spelling(const options::option& declared) const {
  if (from_.who == options::for_run) return declared.path();
  const std::string_view flag = options::flag_for(declared, keys_);
  return flag.empty() ? declared.path() : "--" + std::string(flag);
}

}  // namespace inferbench::config
