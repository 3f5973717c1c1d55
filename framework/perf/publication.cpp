#include "perf/publication.hpp"

#include <filesystem>
#include <vector>

#include "experiment/foreground_command.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_failures.hpp"
#include "perf/conversion.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::perf {

namespace {

constexpr const char* agent = "buildkite-agent";

}  // namespace

void publish(const std::string& result_folder, experiment::sweep_console& console,
             const std::atomic<bool>& stop) {
  if (experiment::program_obstacle(agent) != 0) return;
  const std::string page = (std::filesystem::path(result_folder) / page_name).string();
  // The page comes by standard input: as an argument it could be too long.
  const std::vector<std::vector<std::string>> commands = {
      {"sh", "-c", R"(exec "$0" annotate --style info --context benchmark-results < "$1")", agent,
       page},
      {agent, "artifact", "upload", (std::filesystem::path(result_folder) / "*").string()}};
  for (const std::vector<std::string>& words : commands) {
    std::string why;
    try {
      const experiment::command_end end = experiment::run_in_foreground(
          words, {.console = console, .show_stdout = true, .stop = stop});
      if (end.wait_status != 0) why = "ended with " + supervise::status_text(end.wait_status);
    } catch (const experiment::failed_run& e) {
      why = e.what();
    }
    if (!why.empty()) console.aside(std::string("Warning: ") + agent + ": " + why);
  }
}

}  // namespace inferbench::perf
