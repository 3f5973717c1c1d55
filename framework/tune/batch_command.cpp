// The command `inferbench tune batch`.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/foreground_command.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "options/environment.hpp"
#include "options/refusal.hpp"
#include "run/interrupt.hpp"
#include "supervise/supervised_process.hpp"
#include "tune/batch_file.hpp"
#include "tune/commands.hpp"
#include "tune/option_check.hpp"
#include "tune/tune_request.hpp"

namespace inferbench::tune {

namespace {

namespace fs = std::filesystem;

constexpr const char* batch_usage =
    "usage: inferbench tune batch FILE.json [gs://BUCKET/PATH] [FLAG]...\n\n"
    "Carry out the tunings of a file, an array of objects. The members of an object, in upper\n"
    "case, become variables of the environment of one `inferbench tune`; each FLAG is given to\n"
    "all tunings. After each tuning the file is written again, with run_id, status and results\n"
    "in the object. With a path of Cloud Storage the folder of each tuning is copied there by\n"
    "`gcloud storage cp`, if that program is in $PATH.\n";

constexpr std::size_t largest_file = std::size_t{1} << 28U;
constexpr auto look_at_run = std::chrono::milliseconds(100);
// A tuning that was interrupted ends its servers.
constexpr auto interrupted_limit = std::chrono::seconds(60);
constexpr const char* uploader = "gcloud";

struct batch_line {
  std::string file;
  std::string gcs_path;  // without a slash at its end; empty: none
  std::vector<std::string> flags;
};

batch_line read_batch_line(std::span<const std::string> args, const command_readers& readers) {
  batch_line out;
  std::size_t at = 0;
  while (at < args.size() && !args[at].starts_with('-') && at < 2)
    ++at;
  if (at == 0)
    throw options::usage_error("the file of the runs is missing",
                               "write inferbench tune batch FILE.json");
  out.file = args[0];
  if (at > 1) {
    out.gcs_path = args[1];
    if (!out.gcs_path.starts_with("gs://"))
      throw options::usage_error(options::in_quotes(out.gcs_path) + " is no path of Cloud Storage",
                                 "write gs://BUCKET/PATH, and flags of the tunings after it");
    while (out.gcs_path.ends_with('/'))
      out.gcs_path.pop_back();
  }
  out.flags.assign(args.begin() + static_cast<std::ptrdiff_t>(at), args.end());
  // Otherwise every run would fail for the same reason.
  if (const tune_request request = read_flags(out.flags); request.help.empty())
    require_options(request, readers);
  return out;
}

class batch_driver {
 public:
  batch_driver(batch_line line, experiment::sweep_console& console, const std::atomic<bool>& stop)
      : line_(std::move(line)),
        console_(console),
        stop_(stop),
        file_(base::read_regular_file(line_.file, largest_file), line_.file) {}

  bool carried_out() {
    if (!line_.gcs_path.empty()) look_for_uploader();
    bool all_good = true;
    std::size_t made = 0;
    while (made < file_.size() && !stop_)
      all_good = carry_out_run(made++) && all_good;
    for (const std::string& each : file_.summary(made))
      console_.line(each);
    return all_good && !stop_;
  }

 private:
  bool carry_out_run(std::size_t run) {
    const batch_variables with = file_.variables(run);
    console_.line("Run " + std::to_string(run + 1) + " of " + std::to_string(file_.size()));
    for (const std::string& each : with.notices)
      console_.aside("Note: run " + std::to_string(run + 1) + ": " + each);
    for (const std::string_view key :
         {batch_file::run_id, batch_file::status, batch_file::results, batch_file::gcs_results})
      file_.remove(run, key);
    fs::path result;
    const bool ended_well = run_tuning(with.variables, result);
    std::error_code unknown;
    const bool has_result = !result.empty() && fs::is_regular_file(result, unknown);
    if (has_result) file_.set(run, batch_file::run_id, result.parent_path().filename().string());
    file_.set(run, batch_file::status,
              !ended_well  ? "FAILURE"
              : has_result ? "SUCCESS"
                           : "WARNING_NO_RESULT_FILE");
    if (has_result) {
      file_.set(run, batch_file::results,
                base::valid_utf8(base::read_regular_file(result.string(), largest_file)));
      if (upload(result.parent_path()))
        file_.set(run, batch_file::gcs_results,
                  line_.gcs_path + "/" + result.parent_path().filename().string());
    }
    experiment::write_durably(line_.file, file_.text());
    return ended_well && has_result;
  }

  /// Whether the tuning has ended with the status 0. `result`: the path that it has printed.
  bool run_tuning(const std::vector<std::string>& variables, fs::path& result) {
    std::vector<std::string> words{"/proc/self/exe", "tune"};
    words.insert(words.end(), line_.flags.begin(), line_.flags.end());
    std::mutex mutex;
    result_line printed;
    supervise::supervised_process process(
        {.words = words,
         .extra_environment = variables,
         .on_text = [&](supervise::stream from, std::string_view text) {
           console_.pass_on(from, text);
           if (from != supervise::stream::output) return;
           const std::lock_guard lock(mutex);
           printed.add(text);
         }});
    using run_clock = supervise::supervised_process::time_point::clock;
    std::optional<int> status;
    while (!status && !stop_)
      status = process.wait_until(run_clock::now() + look_at_run);
    if (!status) {
      process.signal(SIGINT);
      status = process.wait_until(run_clock::now() + interrupted_limit);
      process.kill();
    }
    const std::lock_guard lock(mutex);
    result = printed.path();
    return status == 0;
  }

  void look_for_uploader() {
    can_upload_ = experiment::program_obstacle(uploader) == 0;
    if (!can_upload_)
      console_.aside("Note: the results are not copied to " + line_.gcs_path + ", because " +
                     experiment::why_no_program(uploader));
  }

  bool upload(const fs::path& folder) {
    if (!can_upload_ || stop_) return false;
    std::string why;
    try {
      const experiment::command_end end = experiment::run_in_foreground(
          {uploader, "storage", "cp", "--recursive", folder.string(), line_.gcs_path + "/"},
          {.console = console_, .show_stdout = true, .stop = stop_});
      if (end.wait_status == 0) return true;
      why = supervise::status_text(end.wait_status);
    } catch (const experiment::failed_run& e) {
      why = e.what();
    } catch (const experiment::stopped_sweep& e) {
      why = e.what();
    }
    console_.aside("Warning: " + folder.string() + " was not copied to " + line_.gcs_path + ": " +
                   why);
    return false;
  }

  batch_line line_;
  experiment::sweep_console& console_;
  const std::atomic<bool>& stop_;
  batch_file file_;
  bool can_upload_ = false;
};

}  // namespace

int batch(std::span<const std::string> args, base::output& to) {
  const options::environment env = options::environment::of_process();
  return batch(args, to, own_readers(env));
}

int batch(std::span<const std::string> args, base::output& to, const command_readers& readers) {
  for (const std::string& each : args) {
    if (each != "--help" && each != "-h") continue;
    to.write(batch_usage);
    return 0;
  }
  experiment::sweep_console console(
      to, false, [](std::string_view text) { supervise::pass_on(supervise::stream::error, text); });
  base::log log;
  run::interrupt interrupt(&log);
  batch_driver driver(read_batch_line(args, readers), console, interrupt.flag());
  interrupt.hold();
  return driver.carried_out() ? 0 : 1;
}

}  // namespace inferbench::tune
