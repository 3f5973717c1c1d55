#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/keys.hpp"
#include "config/page.hpp"
#include "plugin/library.hpp"

namespace inferbench::cli {

int docs(arguments args) {
  constexpr const char* usage =
      "usage: inferbench docs configuration\n\n"
      "configuration  every key and flag, of the host and of the plugins installed, as Markdown\n";
  if (args.empty() || asks_for_help(args)) {
    return print_usage(usage, args.empty());
  }
  if (args.size() > 1 || args[0] != "configuration")
    throw base::error("inferbench docs does not know " + args[args.size() > 1 ? 1 : 0],
                      "there is inferbench docs configuration");
  cli::print("{}", config::configuration_page(config::host_keys(),
                                              plugin::list(plugin::search_path::standard({}))));
  return done;
}

}  // namespace inferbench::cli
