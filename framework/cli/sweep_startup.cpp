#include "cli/sweep_startup.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "offline/engine_options.hpp"
#include "offline/offline_flags.hpp"
#include "offline/offline_line.hpp"
#include "offline/upstream.hpp"
#include "options/option.hpp"
#include "plugin/library.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;

constexpr offline::benchmark starts = offline::benchmark::startup;
constexpr const char* program_name = "inferbench";

/// Adds the name with "_" for "-", and for a switch its opposite.
void add_name(std::set<std::string>& to, std::string_view name, bool is_switch) {
  const std::string plain = offline::destination_of(name);
  to.insert(plain);
  if (is_switch) to.insert("no_" + plain);
}

/// The value of --backend in the command of `inferbench startup`, otherwise its default.
std::string backend_of(const std::vector<std::string>& command) {
  const auto words = std::ranges::find(command, offline::name_of(starts));
  const std::span<const std::string> args(words == command.end() ? words : words + 1,
                                          command.end());
  offline::offline_line line;
  line.command = starts;
  try {
    line = offline::read_offline_line(starts, args);
  } catch (const base::error&) {
    // The benchmark says what is wrong with its arguments.
  }
  return offline::offline_values(line).text("backend").value_or(std::string());
}

/// The options of the plugin of an engine.
void add_engine(std::set<std::string>& to, const std::string& backend, config::catalog& plugins) {
  try {
    const plugin::loaded library =
        plugins.load(IFB_BACKEND, offline::upstream::plugin_of(backend).plugin, {});
    for (const ifb_option* each : library.options()) {
      const options::option declared = options::option_of(*each, IFB_BACKEND, library.id());
      if (!declared.flag.empty()) add_name(to, declared.flag, declared.type == IFB_BOOL);
    }
  } catch (const base::error&) {
    // The benchmark says that there is no such engine.
  }
}

std::set<std::string> options_of(const std::vector<std::string>& command,
                                 const std::vector<std::string>& backends,
                                 config::catalog& plugins) {
  const bool ours = fs::path(command.front()).filename() == program_name;
  std::set<std::string> out;
  for (const offline::offline_flag& each : offline::all_offline_flags()) {
    const bool upstreams = !each.ours && std::string_view(each.name) != "backend";
    if ((each.commands & offline::bit_of(starts)) != 0 && (ours || upstreams))
      add_name(out, each.name, each.type == offline::flag_type::toggle);
  }
  if (!ours) return out;
  out.insert("engine");
  std::vector<std::string> engines = backends;
  engines.push_back(backend_of(command));
  for (const std::string& each : engines)
    add_engine(out, each, plugins);
  return out;
}

}  // namespace

sweep::startup_benchmark own_startup_benchmark(config::catalog& plugins) {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  return {.command = {unknown ? program_name : own.string(), std::string(offline::name_of(starts))},
          .options = [&plugins](const std::vector<std::string>& command,
                                const std::vector<std::string>& backends) {
            return options_of(command, backends, plugins);
          }};
}

}  // namespace inferbench::cli
