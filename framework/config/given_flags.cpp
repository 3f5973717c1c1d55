#include "config/given_flags.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "config/missing_plugin_flags.hpp"
#include "config/overrides.hpp"
#include "config/reporter_flags.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::config {

namespace {

base::source_position position_of(const given_flag& flag) { return {"--" + flag.name, 0, 0}; }

options::node node_for(const options::option& declared, const given_flag& flag) {
  options::node out =
      flag.dotted ? *flag.dotted : options::node_of_text(declared, flag.values, position_of(flag));
  out.where = position_of(flag);
  return out;
}

/// The setting of `path` that the flag means, or nothing: a switch that is turned off sets nothing
/// if its key is not a switch.
void add_setting(const options::option& declared, const std::string& path, const given_flag& flag,
                 sources& into) {
  setting out;
  out.path = path;
  out.member = declared.member;
  out.texts = flag.values;
  out.where = position_of(flag);
  out.general = declared.general;
  out.value = flag.dotted;
  if (!declared.sets.empty()) {
    const std::string& given = flag.values.front();
    if (given != "true" && given != "false")
      throw options::usage_error("expected true or false, not \"" + given + "\"",
                                 "give the flag alone, or with =true or =false", out.where);
    const bool on = given == "true";
    if (declared.type != IFB_BOOL && !on) return;
    out.value = options::parse_toml_literal(declared.sets, out.where.file);
    if (!on) out.value = options::node::of(!out.value->boolean);
  }
  into.line.push_back(std::move(out));
}

std::string path_of(const options::option& declared, const used_plugin& plugin) {
  if (plugin.kind != IFB_REPORTER) return declared.path();
  return "reporter." + std::string(plugin.library.id()) + "." + declared.name;
}

/// Whether the flag sets a key or an option of a plugin in use; its settings are added.
bool add_settings(const given_flag& flag, const std::vector<options::option>& keys,
                  const used_plugins& used, sources& into) {
  bool known = false;
  for (const options::option& key : keys) {
    if (key.flag != flag.name) continue;
    add_setting(key, key.path(), flag, into);
    known = true;
  }
  if (known) return true;
  for_each(used, [&](const used_plugin& plugin) {
    for (const options::option& declared : plugin.options) {
      if (declared.flag != flag.name) continue;
      add_setting(declared, path_of(declared, plugin), flag, into);
      known = true;
    }
  });
  return known;
}

/// The key that a flag of `hf` sets if another dataset replaces `hf`; empty: none.
std::string_view path_for_hub(std::string_view flag) {
  if (flag == "hf-name") return hub_name_path;
  return flag == "hf-output-len" ? std::string_view("dataset.output-len") : std::string_view{};
}

const options::option* find(const std::vector<options::option>& in, std::string_view flag) {
  const auto at = std::ranges::find(in, flag, &options::option::flag);
  return at == in.end() ? nullptr : &*at;
}

}  // namespace

given_flags::given_flags(const std::vector<options::option>& keys, std::vector<options::option> own,
                         const options::environment& env)
    : keys_(keys), own_(std::move(own)), env_(env) {}

void given_flags::accept_idle(std::vector<options::option> installed,
                              std::vector<options::option> missing) {
  installed_ = std::move(installed);
  missing_ = std::move(missing);
}

void given_flags::read(const command_line& line, const used_plugins& used, sources& into) {
  into.line.clear();
  into.reporters.clear();
  unused_ = {};
  for (const given_flag& flag : line.flags) {
    if (const options::option* declared = find(own_, flag.name)) {
      read_own(*declared, flag, into);
      continue;
    }
    if (add_settings(flag, keys_, used, into)) continue;
    if (const options::option* idle = idle_option(flag.name, used))
      unused_.add(*idle, check_idle(*idle, node_for(*idle, flag), env_));
  }
}

void given_flags::read_own(const options::option& declared, const given_flag& flag, sources& into) {
  if (declared.type == IFB_BOOL || declared.fallback)
    own_values_[flag.name] = options::check(declared, node_for(declared, flag), env_);
  if (flag.name == "set")
    for (const std::string& text : flag.values)
      into.line.push_back(setting_of_text(text));
  if (flag.name == "reporter") into.reporters = flag.values;
}

void given_flags::read_hub_flags(const command_line& line, const used_plugins& used,
                                 sources& into) const {
  for (const given_flag& flag : line.flags)
    if (const std::string_view path = path_for_hub(flag.name); !path.empty())
      if (const options::option* idle = idle_option(flag.name, used))
        add_setting(*idle, std::string(path), flag, into);
}

options::option_value given_flags::own(std::string_view name) const {
  if (const auto at = own_values_.find(name); at != own_values_.end()) return at->second;
  return options::fallback_of(*find(own_, name), env_);
}

std::vector<options::option> given_flags::known(const used_plugins& used) const {
  std::vector<options::option> out = own_;
  const auto add = [&](const std::vector<options::option>& some) {
    out.insert(out.end(), some.begin(), some.end());
  };
  add(keys_);
  for_each(used, [&](const used_plugin& plugin) { add(plugin.options); });
  add(installed_);
  add(missing_);
  return out;
}

/// The declaration of a flag that only plugins not in use have; nullptr: it is another flag.
const options::option* given_flags::idle_option(std::string_view name,
                                                const used_plugins& used) const {
  if (find(own_, name) != nullptr) return nullptr;
  bool in_use = false;
  for_each(used, [&](const used_plugin& p) { in_use |= find(p.options, name) != nullptr; });
  if (in_use) return nullptr;
  const options::option* installed = find(installed_, name);
  return installed != nullptr ? installed : find(missing_, name);
}

/// The reason why a flag has no effect.
std::string given_flags::reason(const options::option& idle, const used_plugins& used,
                                bool for_hub) const {
  const bool of_hub = idle.group == "dataset " + std::string(upstream::hub_dataset);
  if (for_hub && of_hub) return "dataset " + used.dataset->use + " has no such option";
  if (find(missing_, idle.flag) == nullptr) return idle.group + " is not in use";
  return idle.group + " is not installed";
}

void given_flags::refuse_idle_reporters(const command_line& line, const used_plugins& used) const {
  for (const given_flag& flag : line.flags)
    if (find(keys_, flag.name) == nullptr)
      if (const options::option* idle = idle_option(flag.name, used))
        if (const std::string id = reporter_of(*idle); !id.empty())
          throw options::usage_error("reporter " + id + " is not in use", "add --reporter " + id,
                                     position_of(flag));
}

void given_flags::add_warnings(const command_line& line, const used_plugins& used, bool for_hub,
                               std::vector<std::string>& warnings) const {
  if (for_hub)
    warnings.push_back("dataset " + std::string(upstream::hub_dataset) + " is read as " +
                       used.dataset->use + " for that id");
  std::vector<std::pair<std::string, std::vector<std::string>>> without_effect;  // reason, flags
  for (const given_flag& flag : line.flags) {
    if (const options::option* key = find(keys_, flag.name)) {
      if (!key->instead.empty())
        warnings.push_back("--" + flag.name + " is an old spelling of --" + key->instead);
      continue;
    }
    const options::option* idle = idle_option(flag.name, used);
    if (idle == nullptr || (for_hub && !path_for_hub(flag.name).empty())) continue;
    const std::string why = reason(*idle, used, for_hub);
    auto same =
        std::ranges::find(without_effect, why, &decltype(without_effect)::value_type::first);
    if (same == without_effect.end()) same = without_effect.insert(same, {why, {}});
    same->second.push_back("--" + flag.name);
  }
  for (const auto& [why, flags] : without_effect)
    warnings.push_back(fmt::format("{} {} no effect: {}", fmt::join(flags, ", "),
                                   flags.size() == 1 ? "has" : "have", why));
}

}  // namespace inferbench::config
