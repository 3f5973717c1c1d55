#include "experiment/run_series.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/wait.h>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"
#include "pytext/python_text.hpp"
#include "supervise/supervised_process.hpp"
#include "sweep/command.hpp"
#include "sweep/layout.hpp"
#include "sweep/level.hpp"

namespace inferbench::experiment {

namespace {

constexpr const char* summary_name = "summary.json";
constexpr int warm_up_run = -1;
// A server that crashes breaks its connections first, and its process ends some time later.
constexpr auto time_to_die = std::chrono::seconds(1);

}  // namespace

void run_series::open(server* with) {
  open_ = true;
  server_ = with;
  warm_.clear();
}

sweep::run_object run_series::found(const combination& what, int run_number) {
  if (!folder_.claim(what)) return nullptr;
  return found_result(trial_of(plan_, folder_, what, run_number), [](const std::string&) {});
}

std::optional<finished_run> run_series::run(const combination& what, int run_number,
                                            const sweep_position& at) {
  const trial here = trial_of(plan_, folder_, what, run_number);
  std::string why;
  sweep::run_object result;
  if (folder_.claim(what))
    result = found_result(here, [&why](const std::string& text) { why = text; });
  if (result == nullptr && open_) {
    folder_.record(what);
    warm_up(what, at);
  }
  print_block(here);
  if (!why.empty()) console_.line(why);
  if (result != nullptr) {
    console_.line("Found existing results.");
    console_.line("[SKIPPED BENCHMARK]");
  } else if (plan_.dry_run) {
    console_.line("[END BENCHMARK]");
  } else if (!open_) {
    throw base::error("cannot find results at " + here.file.string());
  } else {
    result = made(here, at);
  }
  if (result == nullptr || plan_.dry_run) return std::nullopt;
  if (sweep::completed_nothing(*result))
    console_.line("[NO COMPLETED REQUESTS] " + here.file.string());
  return finished_run{here.serve, here.bench, run_number, here.file, std::move(result)};
}

void run_series::conclude(const combination& what, const std::vector<sweep::run_object>& runs) {
  if (plan_.dry_run) return;
  tell_ignored_runs(what);
  if (runs.empty())
    console_.line("[NO SUCCESSFUL MEASURED RUNS] " + folder_.of(what).string());
  else
    write_durably(folder_.of(what) / summary_name, summary_json(runs));
}

// Upstream looks at the first runs only, too.
void run_series::tell_ignored_runs(const combination& what) {
  const std::filesystem::path next = folder_.of(what) / sweep::run_file(plan_.num_runs);
  std::error_code ignored;
  if (told_ignored_runs_ || !std::filesystem::exists(next, ignored)) return;
  told_ignored_runs_ = true;
  console_.line("There are more runs than " + std::to_string(plan_.num_runs) + ", such as " +
                next.string() + ": their files stay, and the summaries leave them out.");
}

void run_series::print_block(const trial& of) {
  console_.line("[BEGIN BENCHMARK]");
  const std::string bench = pytext::python_repr(of.bench.table());
  if (plan_.does == sweep::kind::startup) {
    console_.line("Serve overrides: " + pytext::python_repr(of.serve.table()));
    console_.line("Startup overrides: " + bench);
  } else {
    console_.line("Benchmark overrides: " + bench);
  }
  console_.line("Run Number: " + std::to_string(of.run_number));
  console_.line("Benchmark command: " + pytext::python_repr(sweep::without_secrets(of.command)));
  console_.line("Output file: " + of.file.string());
}

sweep::run_object run_series::made(const trial& what, const sweep_position& at) {
  require_server();
  progress_.begin(at);
  sweep::run_object result;
  try {
    // The requests that a dying server broke off say nothing about it, so the run has no result.
    result = carried_out(what, surroundings(), [this](const ifb::json_value& got) {
      const bool suspicious = sweep::completed_nothing(got) || sweep::failed_requests(got) > 0;
      require_server(suspicious ? time_to_die : std::chrono::milliseconds(0));
    });
  } catch (const failed_run& e) {
    progress_.end(nullptr);
    // A server that has died is the cause of the failure.
    require_server(time_to_die);
    note_failure(what, e);
    after_failure();
    return nullptr;
  }
  progress_.end(result.get());
  try {
    after_bench();
  } catch (const failed_run& e) {
    require_server(time_to_die);
    // The run has its result, but later runs may find a filled cache.
    note_failure(what, e);
    return result;
  }
  console_.line("[END BENCHMARK]");
  return result;
}

// A warm-up changes the state of the server, which is not kept on the disk, so the file of an
// earlier warm-up does not replace it.
void run_series::warm_up(const combination& what, sweep_position at) {
  if (plan_.warmup_prompts == 0 || !warm_.insert(what.folder).second) return;
  const trial here = trial_of(plan_, folder_, what, warm_up_run);
  at.run = 0;
  print_block(here);
  static_cast<void>(made(here, at));
}

void run_series::require_server(std::chrono::milliseconds grace) {
  if (server_ == nullptr) return;
  try {
    server_->require_alive(grace);
  } catch (const base::error& e) {
    throw failed_server(e.message(), e.remedy(), e.where());
  }
}

void run_series::reset_caches() {
  if (server_ == nullptr) return;
  try {
    server_->reset_caches();
  } catch (const stopped_sweep&) {
    throw;
  } catch (const base::error& e) {
    throw failed_run("RuntimeError", e.what());
  }
}

// Throws failed_run if the step fails.
void run_series::after_bench() {
  if (!plan_.after_bench) return reset_caches();
  const command_end end = run_in_foreground(*plan_.after_bench, surroundings());
  if (!WIFEXITED(end.wait_status) || WEXITSTATUS(end.wait_status) != 0)
    throw failed_run(
        "CalledProcessError",
        "the command after the benchmark ended with " + supervise::status_text(end.wait_status),
        end.last_lines);
}

void run_series::after_failure() noexcept {
  try {
    after_bench();
  } catch (const stopped_sweep&) {
    // The next run ends the sweep.
  } catch (const base::error&) {
    // The failure of the run has been described, and a server that died fails the next run.
  }
}

// Throws the failure again if it ends the sweep.
void run_series::note_failure(const trial& of, const failed_run& why) {
  console_.line("[FAILED BENCHMARK] run=" + std::to_string(of.run_number) + ": " + why.type() +
                ": " + why.whole_text());
  if (!plan_.continue_on_error) throw failed_run(why);
  all_made_ = false;
  const std::filesystem::path file = failure_file_of(of.file);
  create_folder(file.parent_path());
  write_durably(file,
                failure_text(of.run_number, why.type(), why.whole_text(), of.serve, of.bench));
  console_.line("Failure details: " + file.string());
}

command_surroundings run_series::surroundings() {
  return {
      .console = console_, .show_stdout = plan_.show_stdout, .stop = stop_, .meanwhile = [this] {
        progress_.tick();
        require_server();
      }};
}

}  // namespace inferbench::experiment
