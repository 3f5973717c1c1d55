#include "cli/offline_scripts.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "batch/plugin_executor.hpp"
#include "batch/prompt_list.hpp"
#include "batch/script_run.hpp"
#include "cli/offline_engine.hpp"
#include "cli/output.hpp"

namespace inferbench::cli {

namespace {

using sample_list = std::span<const dataset::sample_ptr>;

/// The lines in front of the engine's own.
void tell_lengths(sample_list prompts) {
  cli::print("{}", offline::sampled_text(batch::lengths_of(prompts)));
  standard_output().flush();
}

int finish(const offline::prefix_caching_options& options, const loaded_engine& with_engine,
           sample_list prompts, batch::offline_session& with) {
  const batch::batch_outcome found =
      batch::measure_prefix_caching(options, prompts, with_engine.engine, with.console());
  const double elapsed_s = batch::seconds_of(found);
  with.report(offline::prefix_caching_text(elapsed_s),
              offline::prefix_caching_json(elapsed_s, found.answers.size()), 4, {},
              with_engine.model);
  return status_of(with.publish(options.engine, with_engine.model, with_engine.facts,
                                with_engine.plugin, found));
}

int finish(const offline::long_document_options& options, const loaded_engine& with_engine,
           sample_list warmups, sample_list documents, batch::offline_session& with) {
  const batch::long_document_outcome found =
      batch::measure_long_document(options, warmups, documents, with_engine.engine, with.console());
  const double elapsed_s = batch::seconds_of(found.batch);
  with.report(offline::long_document_text(elapsed_s),
              offline::long_document_json(elapsed_s, found.warmup_s, found.batch.answers.size()), 4,
              {}, with_engine.model);
  return status_of(with.publish(options.engine, with_engine.model, with_engine.facts,
                                with_engine.plugin, found.batch));
}

}  // namespace

int measure_prefix_caching(const offline::prefix_caching_options& options,
                           batch::offline_session& with) {
  if (options.server) {
    const auto server = with.server(options.engine, 1, offline::dataset_flags(options.data, false),
                                    options.passed_on);
    const loaded_engine loaded{*server, with.watch(*server), with.load(*server),
                               server->chosen().backend, server->about().model_id};
    const std::vector<dataset::sample_ptr> prompts = server->samples();
    tell_lengths(prompts);
    return finish(options, loaded, prompts, with);
  }
  const batch::engine_choice choice = with.engine(options.engine, options.passed_on);
  const batch::prompt_list prompts = with.prompts(options.data, options.tokenizer, false);
  tell_lengths(prompts.samples());
  batch::plugin_executor engine(choice, with.services());
  const loaded_engine loaded{engine, with.watch(engine), with.load(engine), choice.plugin,
                             options.model};
  return finish(options, loaded, prompts.samples(), with);
}

int measure_long_document(const offline::long_document_options& options,
                          batch::offline_session& with) {
  cli::print("{}", offline::repeat_mode_text(options.repeat_mode));
  standard_output().flush();
  const offline::dataset_options before = offline::warmup_documents(options);
  if (options.server) {
    const auto server = with.server(options.engine, 1, offline::dataset_flags(options.data, false),
                                    options.passed_on);
    const loaded_engine loaded{*server, with.watch(*server), with.load(*server),
                               server->chosen().backend, server->about().model_id};
    const std::vector<dataset::sample_ptr> documents = server->samples();
    const batch::prompt_list warmups =
        with.prompts(before, tokenizer_of(options.tokenizer, *server), false);
    return finish(options, loaded, warmups.samples(), documents, with);
  }
  const batch::engine_choice choice = with.engine(options.engine, options.passed_on);
  const batch::prompt_list documents = with.prompts(options.data, options.tokenizer, false);
  const batch::prompt_list warmups = with.prompts(before, options.tokenizer, false);
  batch::plugin_executor engine(choice, with.services());
  const loaded_engine loaded{engine, with.watch(engine), with.load(engine), choice.plugin,
                             options.model};
  return finish(options, loaded, warmups.samples(), documents.samples(), with);
}

}  // namespace inferbench::cli
