#include "config/plan.hpp"

#include <cstddef>

namespace inferbench::config {

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

base::error plugin_choice::explain(const plugin::refused& why) const {
  const auto index = static_cast<std::size_t>(why.option());
  if (why.option() < 0 || index >= values.size()) return why;
  const base::source_position& where = values[index].where;
  if (where.file.starts_with("--")) return base::error(why.message(), why.remedy(), where);
  return base::error(std::string(plugin::name_of(library.plugin->kind)) + "." +
                         library.options()[index]->name + ": " + why.message(),
                     why.remedy(), where);
}

void plugin_choice::set_text(std::string_view option, const std::string& text) {
  const auto options = library.options();
  for (std::size_t i = 0; i < options.size() && i < values.size(); ++i) {
    if (options[i]->name != option) continue;
    values[i].is_set = true;
    values[i].text = text;
  }
}

const option_value* plugin_choice::find(std::string_view option) const {
  const auto options = library.options();
  for (std::size_t i = 0; i < options.size() && i < values.size(); ++i)
    if (options[i]->name == option) return values[i].is_set ? &values[i] : nullptr;
  return nullptr;
}

}  // namespace inferbench::config
