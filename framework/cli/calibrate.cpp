#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "calibration/calibration.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "run/journal_path.hpp"

namespace inferbench::cli {

namespace {

/// The path of the result: --result-filename in --result-dir, or else a new file with a generated
/// name there, which this function creates.
std::filesystem::path result_path(const config::plan& plan) {
  const std::filesystem::path folder = plan.files.folder.empty() ? "." : plan.files.folder;
  for (const options::plugin_choice& reporter : plan.reporters)
    if (const options::option_value* name = reporter.find("result-filename"))
      if (!name->text.empty()) return folder / name->text;
  std::string name = run::run_name(base::unix_now()) + "-calibration";
  return run::make_new_file(folder, name, ".json");
}

void save(const std::filesystem::path& path, const std::string& json) {
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << json << "\n" << std::flush;
  if (!out)
    throw base::error("cannot write " + path.string() + ": " + std::strerror(errno),
                      "name another place with --result-dir");
}

}  // namespace

int calibrate(arguments args) {
  config::installed_catalog plugins;
  const config::calibrate_request asked =
      config::parse_calibrate(args, options::environment::of_process(), plugins);
  if (!asked.load.help.empty()) {
    cli::print("{}", asked.load.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.load.warnings)
    log.warning(line);
  calibration::calibration_settings settings;
  settings.ttft = asked.ttft;
  settings.itl = asked.itl;
  settings.limit_ns = asked.limit_ns;
  settings.out = &standard_output();
  std::ranges::copy_if(asked.load.plan.reporters, std::back_inserter(settings.reporters),
                       &options::plugin_choice::named);
  const calibration::calibration found = calibration::calibrate(asked.load.plan, settings, log);
  cli::print("{}", found.table);
  if (asked.load.plan.files.saved) {
    const std::filesystem::path path = result_path(asked.load.plan);
    save(path, found.json);
    cli::print("Saved calibration: {}\n", path.string());
  }
  // --require-valid makes the exit status say whether the client was fast enough for this load.
  const bool kept_up = found.client == metrics::validity::valid;
  return asked.load.plan.require_valid && !kept_up ? not_valid : done;
}

}  // namespace inferbench::cli
