// The parts that all offline benchmarks have around the measurement: arguments, plugins, signals,
// the engine and the files of the result.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "batch/bench_console.hpp"
#include "batch/engine_choice.hpp"
#include "batch/http_executor.hpp"
#include "batch/plugin_executor.hpp"
#include "batch/prompt_list.hpp"
#include "batch/prompt_options.hpp"
#include "batch/publication.hpp"
#include "config/catalog.hpp"
#include "offline/offline_line.hpp"
#include "offline/result_file.hpp"
#include "offline/throughput_options.hpp"
#include "options/environment.hpp"
#include "run/cancel_on_signal.hpp"
#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "services/lender.hpp"
#include "startup/server_startup.hpp"

namespace inferbench::batch {

/// The arguments of a command: flags, behind the path of a TOML file whose table with the name of
/// the command has the same keys. Flags have priority. Throws options::usage_error and base::error.
[[nodiscard]] offline::offline_line read_arguments(offline::benchmark which,
                                                   std::span<const std::string> args,
                                                   const options::environment& env);

/// The benchmark that a TOML file for `inferbench run` has a table for; nullopt: none.
[[nodiscard]] std::optional<offline::benchmark> benchmark_of_file(const std::string& file,
                                                                  const options::environment& env);

/// Main thread. Create one object for a command.
class offline_session {
 public:
  /// `out` must outlive the object. Throws base::error if a place for a result cannot be written.
  offline_session(const offline::offline_line& line, std::span<const std::string> args,
                  const options::environment& env, base::output& out);
  offline_session(const offline_session&) = delete;
  offline_session& operator=(const offline_session&) = delete;

  /// The names of --backend and --dataset-name, if they are those of installed plugins.
  [[nodiscard]] offline::installed_names installed();
  void warn(std::span<const std::string> lines);

  [[nodiscard]] engine_choice engine(const std::string& name, const offline::engine_options& given);
  /// The options of a benchmark with a data set, after take_prompt_options(). With a server the
  /// options also stay in `passed_on`, which its plan reads.
  template <typename benchmark_options>
  [[nodiscard]] benchmark_options with_prompt_options(benchmark_options of) {
    offline::engine_options rest = take_prompt_options(
        of.data, of.passed_on,
        {of.engine, of.data.tokenizer.value_or(of.model), places_.plugin_flags}, plugins_, env_);
    if (base_urls().empty()) of.passed_on = std::move(rest);
    return of;
  }
  /// Throws base::error, see prompt_list.
  [[nodiscard]] prompt_list prompts(const offline::dataset_options& wanted,
                                    const std::string& tokenizer, bool chat);
  [[nodiscard]] const plugin::services& services() const noexcept { return host_.services(); }
  [[nodiscard]] const options::environment& environment() const noexcept { return env_; }
  [[nodiscard]] const base::clock& clock() const noexcept { return clock_; }
  [[nodiscard]] base::log& log() noexcept { return log_; }
  [[nodiscard]] run::interrupt& signals() noexcept { return signals_; }

  /// The addresses of --base-url; empty: there is no server.
  [[nodiscard]] std::vector<std::string> base_urls() const;
  /// The server as an engine. `flags`: what the benchmark decides about the data, as flags of
  /// serve. Throws base::error.
  [[nodiscard]] std::unique_ptr<http_executor> server(
      const std::string& backend, std::int64_t outputs,
      std::vector<std::pair<std::string, std::string>> flags,
      const offline::engine_options& passed_on);

  /// While the object exists, Ctrl-C cancels the engine, which must outlive it.
  [[nodiscard]] run::cancel_on_signal watch(batch_executor& engine);
  /// Throws base::error, also if the user has stopped the program.
  [[nodiscard]] engine_facts load(batch_executor& engine);
  [[nodiscard]] bench_console console();
  [[nodiscard]] startup::startup_console startup_console();

  /// Prints the text of the report, writes the files, and gives the requests to journal and
  /// reporters. Returns false if a reporter failed. Throws base::error for a file that cannot be
  /// written.
  void report(const std::string& text, const options::node& result, int indent,
              std::span<const offline::pytorch_metric> metrics, const std::string& model);
  /// Writes a metric to a PyTorch file of its own, if such files are wanted.
  void report_metric(const std::string& key, const offline::pytorch_metric& metric,
                     const std::string& model);
  [[nodiscard]] bool publish(const std::string& backend, const std::string& model,
                             const engine_facts& facts, const options::plugin_choice& engine,
                             const batch_outcome& measured);

 private:
  void write_file(const std::string& path, const std::string& text);
  void end_if_stopped() const;
  void show_progress(std::size_t done, std::size_t all);

  const offline::offline_line& line_;
  const options::environment& env_;
  base::output& out_;
  base::log log_;
  const base::monotonic_clock clock_;
  config::installed_catalog plugins_;
  publication_places places_;
  run::interrupt signals_;
  services::lender host_;
  run::progress_bar bar_;
  std::uint64_t iterating_since_ = 0;
  std::atomic<bool> told_of_clock_ = false;
  std::optional<std::string> output_json_;
};

}  // namespace inferbench::batch
