#include "config/key_values.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace inferbench::config {

namespace {

// Whether the plugin declares the option of `k` itself. False for extra-body and ignore-eos, whose
// values derive() changes before the plugin gets them.
bool decided_by_plugin(const options::option& k, const used_plugins& used) {
  if (!k.forwarded || k.otherwise == options::undeclared::kept) return false;
  if (k.name == "extra-body" || k.name == "ignore-eos") return false;
  const used_plugin* plugin = used.of_table(k.table);
  return plugin != nullptr && plugin->find(k.name) != nullptr;
}

}  // namespace

key_values::key_values(const sources& from, const used_plugins& used,
                       const options::environment& env, const std::vector<options::option>& keys)
    : keys_(keys) {
  for (const options::option& k : keys)
    if (k.member.empty() && !values_.contains(k.path()))
      values_[k.path()] =
          decided_by_plugin(k, used) ? options::option_value{} : value_of(k, from, env);
}

const options::option_value& key_values::at(std::string_view path) const {
  const auto found = values_.find(path);
  if (found == values_.end())
    throw std::logic_error("there is no key " + std::string(path) + " in keys_*.cpp");
  return found->second;
}
options::option_value& key_values::at(std::string_view path) {
  return const_cast<options::option_value&>(std::as_const(*this).at(path));
}

std::optional<std::string> key_values::text(std::string_view path) const {
  const options::option_value& value = at(path);
  return value.is_set ? std::optional(value.text) : std::nullopt;
}

const options::option& key_values::key(std::string_view path) const {
  return *std::ranges::find_if(
      keys_, [&](const options::option& k) { return k.member.empty() && k.path() == path; });
}

}  // namespace inferbench::config
