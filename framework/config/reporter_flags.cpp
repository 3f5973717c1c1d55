#include "config/reporter_flags.hpp"

#include <algorithm>
#include <string_view>

namespace inferbench::config {

std::string reporter_of(const options::option& declared) {
  constexpr std::string_view kind = "reporter ";
  if (!declared.group.starts_with(kind)) return {};
  return declared.group.substr(kind.size());
}

std::string of_idle_reporter(const std::string& written, catalog& plugins,
                             const flag_table& known) {
  if (!written.starts_with("--")) return {};
  std::string name = written.substr(2, written.find_first_of(".=") - 2);
  std::ranges::replace(name, '_', '-');
  for (const options::option& o : listed_options(plugins, known))
    if (const std::string id = reporter_of(o); !id.empty() && o.flag == name)
      return "add --reporter " + id;
  return {};
}

}  // namespace inferbench::config
