// The benchmarks without a server: throughput, latency and mm-processor (startup.cpp has the
// fourth).
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <unistd.h>

#include "base/error.hpp"
#include "batch/latency_run.hpp"
#include "batch/mm_run.hpp"
#include "batch/offline_session.hpp"
#include "batch/throughput_run.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "offline/latency_report.hpp"
#include "offline/mm_report.hpp"
#include "offline/request_shares.hpp"
#include "offline/throughput_report.hpp"

namespace inferbench::cli {

namespace {

using batch::offline_session;
using offline::benchmark;

/// Adds the options that the engine hf has besides its own, and that upstream's command declares.
offline::engine_options with_batching(const offline::throughput_options& from) {
  offline::engine_options out = from.passed_on;
  if (from.hf_max_batch_size)
    out.add({"hf-max-batch-size", {std::to_string(*from.hf_max_batch_size)}});
  if (from.hf_torch_compile) out.add({"hf-enable-torch-compile", {}});
  return out;
}

int measure(const offline::throughput_options& options, offline_session& with) {
  with.warn(options.warnings);
  const offline::request_share share =
      offline::share_of(options.data_parallel_size, with.environment());
  std::optional<batch::engine_choice> choice;
  // Upstream refuses an engine that it does not have any more after it has read the prompts.
  if (options.family() != offline::upstream::engine_family::mii)
    choice = with.engine(options.engine, with_batching(options));
  const batch::prompt_list prompts = with.prompts(options.data, options.tokenizer, options.chat());
  offline::require_engine(options);
  std::optional<batch::prompt_list> warmups;
  if (options.data.num_warmups > 0)
    warmups.emplace(
        with.prompts(offline::warmup_of(options.data), options.tokenizer, options.chat()));
  batch::plugin_executor engine(*choice, with.services());
  const batch::engine_facts facts = with.load(engine);
  const batch::throughput_outcome found = batch::measure_throughput(
      options, prompts.samples(), batch::samples_of(warmups), share, engine, facts, with.console());
  const auto metrics = offline::throughput_metrics(found.result);
  with.report(offline::throughput_text(found.result, ::isatty(STDOUT_FILENO) == 1),
              offline::throughput_json(found.result), 4, metrics, options.model);
  return with.publish(options.engine, options.model, facts, &*choice, found.batch) ? done
                                                                                   : incomplete;
}

int measure(const offline::latency_options& options, std::uint64_t seed, offline_session& with) {
  const batch::engine_choice choice = with.engine(options.engine, options.passed_on);
  batch::plugin_executor engine(choice, with.services());
  const batch::engine_facts facts = with.load(engine);
  const batch::random_prompts prompts(options.batch_size, options.input_len, options.output_len,
                                      seed);
  const batch::latency_outcome found =
      batch::measure_latency(options, prompts.items(), engine, facts, with.console());
  if (!found.result) return done;
  const auto metrics = offline::latency_metrics(*found.result);
  with.report(offline::latency_text(*found.result), offline::latency_json(*found.result), 4,
              metrics, options.model);
  return with.publish(options.engine, options.model, facts, &choice, found.all) ? done : incomplete;
}

int measure(const offline::mm_processor_options& options, offline_session& with) {
  const batch::engine_choice choice = with.engine(options.engine, options.passed_on);
  const std::string tokenizer = options.data.tokenizer.value_or(options.model);
  const batch::prompt_list prompts = with.prompts(options.data, tokenizer, true);
  std::optional<batch::prompt_list> warmups;
  if (options.data.num_warmups > 0)
    warmups.emplace(with.prompts(offline::warmup_of(options.data), tokenizer, true));
  batch::plugin_executor engine(choice, with.services());
  const batch::engine_facts facts = with.load(engine);
  const batch::mm_outcome measured = batch::measure_mm(
      prompts.samples(), batch::samples_of(warmups), engine, facts, with.console());
  const offline::mm_statistics found = offline::statistics_of(measured.result, options.percentiles);
  with.warn(found.warnings);
  with.report(
      offline::mm_text(found),
      offline::mm_json(found, options, offline::local_timestamp(std::chrono::system_clock::now())),
      2, {}, options.model);
  if (options.output_json) cli::print("Results saved to {}\n", *options.output_json);
  return with.publish(options.engine, options.model, facts, &choice, measured.batch) ? done
                                                                                     : incomplete;
}

int run_benchmark(benchmark which, arguments args) {
  const options::environment env = options::environment::of_process();
  const offline::offline_line line = batch::read_arguments(which, args, env);
  if (line.help) {
    cli::print("{}", offline::offline_help(which));
    return done;
  }
  offline_session session(line, args, env, standard_output());
  const offline::installed_names installed = session.installed();
  switch (which) {
    case benchmark::throughput:
      return measure(offline::throughput_options_of(line, installed), session);
    case benchmark::latency:
      return measure(offline::latency_options_of(line, installed),
                     static_cast<std::uint64_t>(line.engine.whole("seed").value_or(0)), session);
    case benchmark::mm_processor:
      return measure(offline::mm_processor_options_of(line, installed), session);
    case benchmark::startup: break;
  }
  return refused;
}

}  // namespace

command_function offline_benchmark(arguments args) {
  if (args.empty() || !args.front().ends_with(".toml")) return nullptr;
  try {
    const auto found = batch::benchmark_of_file(args.front(), options::environment::of_process());
    if (!found) return nullptr;
    switch (*found) {
      case benchmark::throughput: return &throughput;
      case benchmark::latency: return &latency;
      case benchmark::mm_processor: return &mm_processor;
      case benchmark::startup: return nullptr;
    }
  } catch (const base::error&) {
    // The reader of the other files has the same error, and names the layer.
  }
  return nullptr;
}

int throughput(arguments args) { return run_benchmark(benchmark::throughput, args); }
int latency(arguments args) { return run_benchmark(benchmark::latency, args); }
int mm_processor(arguments args) { return run_benchmark(benchmark::mm_processor, args); }

}  // namespace inferbench::cli
