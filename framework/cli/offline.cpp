// The benchmarks without a server: their dispatch, and throughput, latency, mm-processor and
// prioritization. startup.cpp and offline_scripts.cpp have the others.
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/error.hpp"
#include "batch/latency_run.hpp"
#include "batch/mm_run.hpp"
#include "batch/offline_session.hpp"
#include "batch/throughput_run.hpp"
#include "cli/commands.hpp"
#include "cli/offline_engine.hpp"
#include "cli/offline_scripts.hpp"
#include "cli/output.hpp"
#include "offline/latency_report.hpp"
#include "offline/long_document.hpp"
#include "offline/mm_report.hpp"
#include "offline/prefix_caching.hpp"
#include "offline/prioritization.hpp"
#include "offline/request_shares.hpp"
#include "offline/throughput_report.hpp"
#include "offline/upstream.hpp"

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

std::optional<batch::prompt_list> warmups_of(const offline::dataset_options& data,
                                             const std::string& tokenizer, bool chat,
                                             offline_session& with) {
  if (data.num_warmups <= 0) return std::nullopt;
  return with.prompts(offline::warmup_of(data), tokenizer, chat);
}

int measure(const offline::throughput_options& options, const loaded_engine& with_engine,
            std::span<const dataset::sample_ptr> prompts, const offline::request_share& share,
            const std::optional<batch::prompt_list>& warmups, offline_session& with) {
  const batch::throughput_outcome found =
      batch::measure_throughput(options, prompts, batch::samples_of(warmups), share,
                                with_engine.engine, with_engine.facts, with.console());
  // Upstream's script with priorities has a line of its own, and no records for the dashboard.
  const bool script = options.random_priorities;
  with.report(
      script ? offline::prioritization_text(found.result)
             : offline::throughput_text(found.result, ::isatty(STDOUT_FILENO) == 1),
      offline::throughput_json(found.result), 4,
      script ? std::vector<offline::pytorch_metric>() : offline::throughput_metrics(found.result),
      with_engine.model);
  return status_of(with.publish(options.engine, with_engine.model, with_engine.facts,
                                with_engine.plugin, found.batch));
}

int measure_server(const offline::throughput_options& options, offline_session& with) {
  const auto server = with.server(options.engine, options.n,
                                  offline::dataset_flags(options.data, false), options.passed_on);
  const loaded_engine loaded{*server, with.watch(*server), with.load(*server),
                             server->chosen().backend, server->about().model_id};
  const std::vector<dataset::sample_ptr> prompts = server->samples();
  const auto warmups =
      warmups_of(options.data, tokenizer_of(options.tokenizer, *server), false, with);
  return measure(options, loaded, prompts, {}, warmups, with);
}

int measure(const offline::throughput_options& options, offline_session& with) {
  with.warn(options.warnings);
  if (options.server) return measure_server(options, with);
  const offline::request_share share =
      offline::share_of(options.data_parallel_size, with.environment());
  std::optional<batch::engine_choice> choice;
  // Upstream refuses an engine that it does not have any more after it has read the prompts.
  if (!options.has_removed_engine()) choice = with.engine(options.engine, with_batching(options));
  const batch::prompt_list prompts = with.prompts(options.data, options.tokenizer, options.chat());
  offline::require_engine(options);
  const auto warmups = warmups_of(options.data, options.tokenizer, options.chat(), with);
  batch::plugin_executor engine(*choice, with.services());
  return measure(options,
                 {engine, with.watch(engine), with.load(engine), choice->plugin, options.model},
                 prompts.samples(), share, warmups, with);
}

int measure(const offline::latency_options& options, const loaded_engine& with_engine,
            std::span<const ifb_batch_item> items, offline_session& with) {
  batch::latency_outcome found =
      batch::measure_latency(options, items, with_engine.engine, with_engine.facts, with.console());
  if (!found.result) return done;
  found.result->model = with_engine.model;  // a server may have named it
  const auto metrics = offline::latency_metrics(*found.result);
  with.report(offline::latency_text(*found.result), offline::latency_json(*found.result), 4,
              metrics, with_engine.model);
  return status_of(with.publish(options.engine, with_engine.model, with_engine.facts,
                                with_engine.plugin, found.all));
}

/// Prompts are texts if the user has named a tokenizer, otherwise random token ids.
int measure_server(const offline::latency_options& options, std::uint64_t seed,
                   offline_session& with) {
  const bool texts = options.passed_on.has("tokenizer") || options.passed_on.has("tokenizer-mode");
  std::vector<std::pair<std::string, std::string>> flags{
      {"dataset-name", std::string(offline::upstream::latency_dataset())},
      {"random-input-len", std::to_string(options.input_len)},
      {"random-output-len", std::to_string(options.output_len)},
      {"num-prompts", std::to_string(texts ? options.batch_size : 1)}};
  if (!texts) flags.emplace_back("tokenizer-mode", offline::upstream::tokenizer_without_files());
  const auto server = with.server(options.engine, options.n, std::move(flags), options.passed_on);
  const loaded_engine loaded{*server, with.watch(*server), with.load(*server),
                             server->chosen().backend, server->about().model_id};
  if (!texts) {
    const batch::random_prompts prompts(options.batch_size, options.input_len, options.output_len,
                                        seed);
    return measure(options, loaded, prompts.items(), with);
  }
  const std::vector<dataset::sample_ptr> prompts = server->samples();
  std::vector<ifb_batch_item> items;
  for (const dataset::sample_ptr& each : prompts)
    items.push_back({sizeof(ifb_batch_item), 0, &each->c, nullptr});
  return measure(options, loaded, items, with);
}

int measure(const offline::latency_options& options, std::uint64_t seed, offline_session& with) {
  if (!with.base_urls().empty()) return measure_server(options, seed, with);
  offline::engine_options passed_on = options.passed_on;
  // The engine hf needs the size of its largest batch.
  if (options.family() == offline::upstream::engine_family::transformers &&
      !passed_on.has("hf-max-batch-size"))
    passed_on.add({"hf-max-batch-size", {std::to_string(options.batch_size)}});
  const batch::engine_choice choice = with.engine(options.engine, passed_on);
  batch::plugin_executor engine(choice, with.services());
  const loaded_engine loaded{engine, with.watch(engine), with.load(engine), choice.plugin,
                             options.model};
  // Before the prompts are made: lengths that no engine has would take all memory.
  offline::require_room(options.input_len, options.output_len, loaded.facts.max_model_len);
  const batch::random_prompts prompts(options.batch_size, options.input_len, options.output_len,
                                      seed);
  return measure(options, loaded, prompts.items(), with);
}

int measure(const offline::mm_processor_options& options, const loaded_engine& with_engine,
            std::span<const dataset::sample_ptr> prompts,
            const std::optional<batch::prompt_list>& warmups, offline_session& with) {
  const batch::mm_outcome measured = batch::measure_mm(
      prompts, batch::samples_of(warmups), with_engine.engine, with_engine.facts, with.console());
  const offline::mm_statistics found = offline::statistics_of(measured.result, options.percentiles);
  with.warn(found.warnings);
  offline::mm_processor_options about = options;
  about.model = with_engine.model;  // a server may have named it
  with.report(
      offline::mm_text(found),
      offline::mm_json(found, about, offline::local_timestamp(std::chrono::system_clock::now())), 2,
      {}, with_engine.model);
  if (options.output_json && !options.output_json->empty())
    cli::print("Results saved to {}\n", *options.output_json);
  return status_of(with.publish(options.engine, with_engine.model, with_engine.facts,
                                with_engine.plugin, measured.batch));
}

int measure(const offline::mm_processor_options& options, offline_session& with) {
  const std::string tokenizer = options.data.tokenizer.value_or(options.model);
  if (!with.base_urls().empty()) {
    const auto server = with.server(options.engine, 1, offline::dataset_flags(options.data, true),
                                    options.passed_on);
    const loaded_engine loaded{*server, with.watch(*server), with.load(*server),
                               server->chosen().backend, server->about().model_id};
    const std::vector<dataset::sample_ptr> prompts = server->samples();
    return measure(options, loaded, prompts,
                   warmups_of(options.data, tokenizer_of(tokenizer, *server), true, with), with);
  }
  const batch::engine_choice choice = with.engine(options.engine, options.passed_on);
  const batch::prompt_list prompts = with.prompts(options.data, tokenizer, true);
  const auto warmups = warmups_of(options.data, tokenizer, true, with);
  batch::plugin_executor engine(choice, with.services());
  return measure(options,
                 {engine, with.watch(engine), with.load(engine), choice.plugin, options.model},
                 prompts.samples(), warmups, with);
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
      return measure(session.with_prompt_options(offline::throughput_options_of(line, installed)),
                     session);
    case benchmark::latency:
      return measure(offline::latency_options_of(line, installed),
                     static_cast<std::uint64_t>(line.engine.whole("seed").value_or(0)), session);
    case benchmark::mm_processor:
      return measure(session.with_prompt_options(offline::mm_processor_options_of(line, installed)),
                     session);
    case benchmark::prefix_caching:
      return measure_prefix_caching(
          session.with_prompt_options(offline::prefix_caching_options_of(line, installed)),
          session);
    case benchmark::long_document_qa:
      return measure_long_document(
          session.with_prompt_options(offline::long_document_options_of(line, installed)), session);
    case benchmark::prioritization:
      return measure(
          session.with_prompt_options(offline::prioritization_options_of(line, installed)),
          session);
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
      case benchmark::startup: return &startup;
      case benchmark::prefix_caching: return &prefix_caching;
      case benchmark::long_document_qa: return &long_document_qa;
      case benchmark::prioritization: return &prioritization;
    }
  } catch (const base::error&) {
    // The reader of the other files has the same error, and names the layer.
  }
  return nullptr;
}

int throughput(arguments args) { return run_benchmark(benchmark::throughput, args); }
int latency(arguments args) { return run_benchmark(benchmark::latency, args); }
int mm_processor(arguments args) { return run_benchmark(benchmark::mm_processor, args); }
int prefix_caching(arguments args) { return run_benchmark(benchmark::prefix_caching, args); }
int long_document_qa(arguments args) { return run_benchmark(benchmark::long_document_qa, args); }
int prioritization(arguments args) { return run_benchmark(benchmark::prioritization, args); }

}  // namespace inferbench::cli
