// The command `inferbench tune`.
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "options/environment.hpp"
#include "perf/tool.hpp"
#include "run/interrupt.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/listening.hpp"
#include "transport/resolver.hpp"
#include "transport/server_address.hpp"
#include "tune/commands.hpp"
#include "tune/live_bench.hpp"
#include "tune/option_check.hpp"
#include "tune/result_folder.hpp"
#include "tune/result_text.hpp"
#include "tune/tune_commands.hpp"
#include "tune/tune_request.hpp"
#include "tune/tuning.hpp"

namespace inferbench::tune {

namespace {

constexpr int tuned = 0;
constexpr int not_tuned = 1;

/// Refuses a server that cannot start in any of the steps.
void require_server(const tune_request& request) {
  const std::vector<std::string> words =
      server_words(request, {.options = {request.seqs.back(), request.tokens.back()}}, {});
  experiment::require_program({words.front(), "--serve-cmd"});
  transport::require_free(transport::resolve(transport::server_address(words)));
}

tuning_setting setting_of(const tune_request& request, const std::filesystem::path& results) {
  return {.seqs = request.seqs,
          .tokens = request.tokens,
          .limit_ms = request.limit_ms,
          .memory = !request.memory_option.empty(),
          .search = request.search,
          .profile = request.profile,
          .profile_folder = profile_folder(results).string()};
}

/// The exit status, with a line for each failure.
int concluded(const tuning_outcome& outcome, experiment::sweep_console& console) {
  if (!outcome.memory_found) {
    console.aside(
        "inferbench: no server started with a gpu_memory_utilization from 0.98 to 0.90; the files "
        "vllm_log_gpu_memory_utilization_*.log have the reasons (for a server without this option "
        "give --memory-option none)");
    return not_tuned;
  }
  if (outcome.measured == 0) {
    console.aside("inferbench: no combination could be measured");
    return not_tuned;
  }
  if (outcome.failed > 0)
    console.aside("Warning: " + std::to_string(outcome.failed) + " of " +
                  std::to_string(outcome.failed + outcome.measured) +
                  " combinations failed; result.txt has the reasons");
  if (!outcome.profile_failed) return tuned;
  console.aside("inferbench: there is no profile; --skip-profile leaves it out");
  return not_tuned;
}

}  // namespace

int tune(std::span<const std::string> args, base::output& to) {
  const options::environment env = options::environment::of_process();
  return tune(args, to, own_readers(env));
}

int tune(std::span<const std::string> args, base::output& to, const command_readers& readers) {
  const options::environment env = options::environment::of_process();
  const tune_request request = parse_tune(args, env);
  if (!request.help.empty()) {
    to.write(request.help);
    return tuned;
  }
  experiment::sweep_console console(
      to, false, [](std::string_view text) { supervise::pass_on(supervise::stream::error, text); });
  for (const std::string& each : request.warnings)
    console.aside("Warning: " + each);
  require_options(request, readers);
  require_server(request);
  base::log log;
  run::interrupt interrupt(&log);
  const std::filesystem::path results = make_result_folder(request.base, std::time(nullptr));
  console.line("Results: " + results.string());
  interrupt.hold();
  live_bench bench({request, console, interrupt.flag(), results});
  bench.record(hash_line(commit_below(request.base, &perf::output_of)));
  int status = not_tuned;
  try {
    status = concluded(carry_out(setting_of(request, results), bench), console);
  } catch (const experiment::stopped_sweep&) {
    console.aside("interrupted; the results so far are in " + bench.result_file().string());
  }
  // The driver of batches looks for this line.
  console.line("RESULT_FILE=" + bench.result_file().string());
  return status;
}

}  // namespace inferbench::tune
