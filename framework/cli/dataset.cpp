#include <string>

#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/samples.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "plugin/instance.hpp"

namespace inferbench::cli {

int dataset(arguments args) {
  constexpr const char* usage =
      "usage: inferbench dataset show [dataset, tokenizer and server flags of serve]\n\n"
      "show  prints the samples that these flags yield, a JSON line each\n"
      "      inferbench dataset show --help lists the flags\n";
  // `show --help` lists the flags of `show`, so it is not handled here.
  if (args.empty() || (args[0] != "show" && asks_for_help(args))) {
    return print_usage(usage, args.empty());
  }
  if (args[0] != "show")
    throw base::error("inferbench dataset does not know " + args[0],
                      "did you mean inferbench dataset show?");
  config::installed_catalog plugins;
  config::request asked =
      config::parse_dataset_show(args.subspan(1), options::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  try {
    cli::show_samples(asked.plan, log, standard_output());
  } catch (const plugin::refused& e) {
    // The dataset has printed what the user asked for instead of samples, such as a recipe.
    if (e.code() != IFB_E_CANCELLED) throw;
  }
  return done;
}

}  // namespace inferbench::cli
