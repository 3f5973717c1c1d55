#include "config/request_help.hpp"

#include <algorithm>
#include <utility>

#include "config/help.hpp"
#include "options/forwarding.hpp"

namespace inferbench::config {

std::string help_of(options::command who, std::string_view usage, std::vector<options::option> own,
                    std::span<const options::option> keys, std::vector<options::option> listed,
                    std::string_view topic) {
  std::vector<options::option> shown = std::move(own);
  const auto add = [&](options::option o) {
    if (o.flag.empty() && who != options::for_run) return;
    if ((o.commands & who) == 0) {
      if (who != options::for_run || !o.member.empty()) return;
      o.flag.clear();  // shown as a key of the file
    }
    const auto same = [&](const options::option& s) {
      return s.group == o.group && s.path() == o.path() && s.flag.empty();
    };
    if (!o.flag.empty() || std::ranges::none_of(shown, same)) shown.push_back(std::move(o));
  };
  for (const options::option& key : keys)
    add(key);
  for (options::option& o : listed)
    add(std::move(o));
  return help_text(usage, shown, topic == "true" ? std::string_view{} : topic);
}

std::string of_other_command(std::string_view written, options::command who,
                             const flag_table& known, std::span<const options::option> keys) {
  constexpr std::string_view dashes = "--";
  if (!written.starts_with(dashes)) return {};
  const std::string_view name = written.substr(dashes.size());
  if (name == "print-config" && !known.contains(name))
    return "use inferbench serve --print-config or inferbench run --print-config";
  for (const options::option& key : keys) {
    if (key.flag.empty() || name != key.flag || (key.commands & who) != 0) continue;
    if (who == options::for_run)
      return "use --set " + key.path() + (key.member.empty() ? "" : "." + key.member) + "=VALUE";
    return "it is a flag of inferbench serve";
  }
  return {};
}

std::string of_general_flag(std::string_view written, const flag_table& known) {
  // The flag is --ID-OPTION. Both parts may contain dashes, so the id may end at any dash.
  for (auto dash = written.find('-', 2); dash != std::string_view::npos;
       dash = written.find('-', dash + 1)) {
    const std::string_view name = written.substr(dash + 1);
    const bool general = std::ranges::any_of(
        plugin::all_kinds, [&](ifb_kind kind) { return options::has_host_flag(kind, name); });
    if (general && known.contains(name))
      return "--" + std::string(name) + " sets this option of every plugin";
  }
  return {};
}

}  // namespace inferbench::config
