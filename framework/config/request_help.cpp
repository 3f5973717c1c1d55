#include "config/request_help.hpp"

#include <algorithm>
#include <utility>

#include "config/forwarding.hpp"
#include "config/help.hpp"

namespace inferbench::config {

std::string help_of(command who, std::string_view usage, std::vector<option> own,
                    std::span<const option> keys, std::vector<option> listed,
                    std::string_view topic) {
  std::vector<option> shown = std::move(own);
  const auto add = [&](option o) {
    if (o.flag.empty() && who != for_run) return;
    if ((o.commands & who) == 0) {
      if (who != for_run || !o.member.empty()) return;
      o.flag.clear();  // a key of the file
    }
    const auto same = [&](const option& s) {
      return s.group == o.group && s.path() == o.path() && s.flag.empty();
    };
    if (!o.flag.empty() || std::ranges::none_of(shown, same)) shown.push_back(std::move(o));
  };
  for (const option& key : keys)
    add(key);
  for (option& o : listed)
    add(std::move(o));
  return help_text(usage, shown, topic == "true" ? std::string_view{} : topic);
}

std::string of_other_command(std::string_view written, command who, const flag_table& known,
                             std::span<const option> keys) {
  constexpr std::string_view dashes = "--";
  if (!written.starts_with(dashes)) return {};
  const std::string_view name = written.substr(dashes.size());
  if (name == "print-config" && !known.contains(name))
    return "use inferbench serve --print-config or inferbench run --print-config";
  for (const option& key : keys) {
    if (key.flag.empty() || name != key.flag || (key.commands & who) != 0) continue;
    if (who == for_run)
      return "here it is --set " + key.path() + (key.member.empty() ? "" : "." + key.member) +
             "=VALUE";
    return "it belongs to inferbench serve";
  }
  return {};
}

std::string of_general_flag(std::string_view written, const flag_table& known) {
  // The id of a plugin may have dashes of its own.
  for (auto dash = written.find('-', 2); dash != std::string_view::npos;
       dash = written.find('-', dash + 1)) {
    const std::string_view name = written.substr(dash + 1);
    const bool general = std::ranges::any_of(
        plugin::all_kinds, [&](ifb_kind kind) { return has_host_flag(kind, name); });
    if (general && known.contains(name))
      return "--" + std::string(name) + " sets that option of every plugin";
  }
  return {};
}

}  // namespace inferbench::config
