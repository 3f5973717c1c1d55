#include "config/flag_table.hpp"

#include <algorithm>
#include <utility>

#include "config/upstream_flags.hpp"

namespace inferbench::config {

void flag_table::add(const options::option& o) {
  if (!o.flag.empty() && !contains(o.flag))
    flags_.push_back({o.flag, o.takes, o.type == IFB_JSON, o.accumulates, of_upstream(o.flag)});
}

void flag_table::add(std::span<const options::option> options, options::command who) {
  for (const options::option& o : options)
    if (o.table.empty() || (o.commands & who) != 0) add(o);
}

bool flag_table::contains(std::string_view name) const {
  return std::ranges::find(flags_, name, &flag::name) != flags_.end();
}

std::vector<std::string> flag_table::names() const {
  std::vector<std::string> out;
  for (const flag& f : flags_)
    out.push_back("--" + f.name);
  return out;
}

bool flag_table::begins(const std::string& written) const {
  std::string name = written.substr(std::min<std::size_t>(2, written.size()));
  name.resize(std::min(name.find('.'), name.size()));
  std::ranges::replace(name, '_', '-');
  return !name.empty() &&
         std::ranges::any_of(flags_, [&](const flag& f) { return f.name.starts_with(name); });
}

std::vector<options::option> listed_options(catalog& plugins, const flag_table& known,
                                            const std::vector<std::string>& also) {
  std::vector<options::option> out;
  for (const plugin::described& d : plugins.list(also)) {
    if (!d.trouble.empty()) continue;
    for (const auto& o : d.options) {
      options::option next = options::option_of(o, d.kind, d.id);
      const bool twice = std::ranges::any_of(out, [&](const options::option& o2) {
        return o2.group == next.group && o2.name == next.name;
      });
      if (!twice && !next.flag.empty() && !known.contains(next.flag))
        out.push_back(std::move(next));
    }
  }
  return out;
}

}  // namespace inferbench::config
