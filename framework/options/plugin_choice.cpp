#include "options/plugin_choice.hpp"

#include <cstddef>

#include "plugin/option_names.hpp"

namespace inferbench::options {

namespace {

/// The index of the option with this name; the number of options if there is no such option.
std::size_t index_of(const plugin_choice& choice, std::string_view option) {
  const auto options = choice.library.options();
  std::size_t at = 0;
  while (at < options.size() && options[at]->name != option)
    ++at;
  return at;
}

bool is_general(const plugin::loaded& library, std::size_t at) {
  const ifb_option& option = *library.options()[at];
  return plugin::is_general(library.plugin->kind, option.name, option.flags);
}

}  // namespace

std::unique_ptr<plugin::instance> plugin_choice::create(const plugin::services& shared) const {
  std::vector<ifb_value> out(values.size());
  std::vector<std::vector<ifb_str>> lists(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const option_value& from = values[i];
    out[i].type = from.type;
    if (!from.is_set) continue;
    out[i].is_set = 1;
    switch (from.type) {
      case IFB_INT:
      case IFB_BOOL:
      case IFB_DURATION:
      case IFB_SIZE: out[i].as.i = from.integer; break;
      case IFB_FLOAT: out[i].as.f = from.number; break;
      case IFB_STRINGS:
        for (const std::string& item : from.list)
          lists[i].push_back(plugin::str(item));
        out[i].as.list.data = lists[i].data();
        out[i].as.list.size = lists[i].size();
        break;
      default: out[i].as.s = plugin::str(from.text); break;
    }
  }
  try {
    return std::make_unique<plugin::instance>(library, out, shared);
  } catch (const plugin::refused& why) {
    throw explain(why);
  }
}

plugin::refused plugin_choice::explain(const plugin::refused& why) const {
  const auto index = static_cast<std::size_t>(why.option());
  if (why.option() < 0 || index >= values.size()) return why;
  const base::source_position& where = values[index].where;
  std::string message = why.message();
  if (!where.file.starts_with("--"))
    message = std::string(plugin::name_of(library.plugin->kind)) + "." +
              library.options()[index]->name + ": " + message;
  return {base::error(std::move(message), why.remedy(), where), why};
}

option_value* plugin_choice::value_of(std::string_view option) {
  const std::size_t at = index_of(*this, option);
  return at < values.size() ? &values[at] : nullptr;
}

option_value* plugin_choice::general_value_of(std::string_view option) {
  const std::size_t at = index_of(*this, option);
  return at < values.size() && is_general(library, at) ? &values[at] : nullptr;
}

const option_value* plugin_choice::general_value_of(std::string_view option) const {
  const std::size_t at = index_of(*this, option);
  return at < values.size() && is_general(library, at) ? &values[at] : nullptr;
}

void plugin_choice::set_text(std::string_view option, const std::string& text) {
  option_value* const value = general_value_of(option);
  if (value == nullptr) return;
  value->is_set = true;
  value->text = text;
}

const option_value* plugin_choice::find(std::string_view option) const {
  const std::size_t at = index_of(*this, option);
  return at < values.size() && values[at].is_set ? &values[at] : nullptr;
}

}  // namespace inferbench::options
