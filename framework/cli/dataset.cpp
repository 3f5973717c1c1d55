#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/requests.hpp"
#include "cli/samples.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "plugin/instance.hpp"

namespace inferbench::cli {

namespace {

/// Whether the flag --backend, or its older name, is among the arguments.
bool names_backend(arguments args) {
  return std::ranges::any_of(args, [](std::string_view word) {
    std::string flag(word.substr(0, word.find('=')));
    std::ranges::replace(flag, '_', '-');
    return flag == "--backend" || flag == "--endpoint-type";
  });
}

}  // namespace

int dataset(arguments args) {
  constexpr const char* usage =
      "usage: inferbench dataset show [dataset, tokenizer and server flags of serve]\n"
      "       inferbench dataset show --backend NAME [flags of serve]\n\n"
      "show  prints the samples that these flags yield, a JSON line each;\n"
      "      with --backend the requests that this backend would send for them\n"
      "      inferbench dataset show --help lists the flags\n";
  // `show --help` lists the flags of `show`, so it is not handled here.
  if (args.empty() || (args[0] != "show" && asks_for_help(args))) {
    return print_usage(usage, args.empty());
  }
  if (args[0] != "show")
    throw base::error("inferbench dataset does not know " + args[0],
                      "did you mean inferbench dataset show?");
  config::installed_catalog plugins;
  // The body of a request depends on most flags of serve: model, sampling, extra members.
  const bool requests = names_backend(args);
  config::request asked = (requests ? &config::parse_serve : &config::parse_dataset_show)(
      args.subspan(1), options::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  try {
    (requests ? &cli::show_requests : &cli::show_samples)(asked.plan, log, standard_output());
  } catch (const plugin::refused& e) {
    // The dataset has printed what the user asked for instead of samples, such as a recipe.
    if (e.code() != IFB_E_CANCELLED) throw;
  }
  return done;
}

}  // namespace inferbench::cli
