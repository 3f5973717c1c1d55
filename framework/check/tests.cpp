#include <inferbench/draft/batch_engine.h>
#include <inferbench/draft/scorer.h>

#include "check/test.hpp"

namespace inferbench::check {

namespace {

using test_function = void (*)(subject&);

constexpr test of_library(const char* name, const char* sentence, test_function run) {
  return {.name = name, .sentence = sentence, .of_library = true, .run = run};
}
constexpr test of_plugin(const char* name, const char* sentence, test_function run,
                         const char* trap = "") {
  return {.name = name, .sentence = sentence, .run = run, .trap = trap};
}
constexpr test of_kind(ifb_kind kind, const char* interface_id, const char* name,
                       const char* sentence, test_function run, const char* trap) {
  return {.name = name,
          .sentence = sentence,
          .kind = kind,
          .interface_id = interface_id,
          .run = run,
          .trap = trap};
}
constexpr test of_backend(const char* name, const char* sentence, test_function run) {
  return of_kind(IFB_BACKEND, nullptr, name, sentence, run, "");
}
constexpr test of_codec(const char* name, const char* sentence, test_function run,
                        const char* trap = "") {
  return of_kind(IFB_BACKEND, IFB_HTTP_CODEC, name, sentence, run, trap);
}
constexpr test of_engine(const char* name, const char* sentence, test_function run) {
  return of_kind(IFB_BACKEND, IFB_ENGINE, name, sentence, run, "");
}
constexpr test of_batch_engine(const char* name, const char* sentence, test_function run,
                               const char* trap = "") {
  return of_kind(IFB_BACKEND, IFB_BATCH_ENGINE, name, sentence, run, trap);
}
constexpr test of_dataset(const char* name, const char* sentence, test_function run,
                          const char* trap = "") {
  return of_kind(IFB_DATASET, IFB_DATASET_OPS, name, sentence, run, trap);
}
constexpr test of_reporter(const char* name, const char* sentence, test_function run,
                           const char* trap = "") {
  return of_kind(IFB_REPORTER, IFB_REPORTER_OPS, name, sentence, run, trap);
}
constexpr test of_table_reporter(const char* name, const char* sentence, test_function run,
                                 const char* trap = "") {
  return of_kind(IFB_REPORTER, IFB_TABLE_REPORTER_OPS, name, sentence, run, trap);
}
constexpr test of_tokenizer(const char* name, const char* sentence, test_function run,
                            const char* trap = "") {
  return of_kind(IFB_TOKENIZER, IFB_TOKENIZER_OPS, name, sentence, run, trap);
}

constexpr test of_scorer(const char* name, const char* sentence, test_function run) {
  return of_kind(IFB_SCORER, IFB_SCORER_OPS, name, sentence, run, "");
}

constexpr test table[] = {
    of_library("file-exports", "the library exports its entry function and nothing else",
               &check_exports),
    of_library("file-segments", "no code is patched while loading, and no stack is executable",
               &check_segments),
    of_library("file-needs", "the libraries that the library needs are plain names", &check_needed),
    of_library("file-loads", "all symbols are found when the library is loaded", &check_loads),
    of_library("file-runtime", "the library does not bring a second C++ library", &check_runtime),
    of_library("entry", "loading and the entry function are quick and leave nothing behind",
               &check_entry),
    of_library("library", "the structs of the library are well-formed", &check_library),
    of_plugin("descriptor", "id, version and texts are well-formed", &check_descriptor),
    of_plugin("options", "options are well-formed, and their defaults are of their types",
              &check_options),
    of_plugin("interfaces", "query answers the listed interfaces, and no others",
              &check_interfaces),
    of_plugin("create", "an instance can be made and destroyed", &check_create),
    of_plugin("create-growth", "making and destroying an instance again and again uses nothing up",
              &check_growth),
    of_plugin("create-values", "any value of an option is taken or refused with a reason",
              &check_values),
    of_plugin("calls", "each call answers with a status of the contract, and a refusal says why",
              &check_calls),
    of_plugin("calls-growth", "a short life, again and again, uses nothing up", &check_call_growth),
    of_plugin("process", "signals, environment and the like are left alone", &check_process),
    of_backend("backend-unknown", "an unknown kind of prompt is refused", &check_unknown_prompts),
    of_codec("codec-request", "the request can be sent, and is the same each time", &check_request),
    of_codec("codec-sign", "a signature changes the headers and nothing else", &check_sign),
    of_codec("codec-events", "the end of an answer is reported once, and last", &check_events),
    of_codec("codec-close", "an exchange can be closed in any state", &check_close,
             "in an exchange that is closed early"),
    of_codec("codec-transcripts", "recorded exchanges are heard as recorded", &check_transcripts),
    of_codec("codec-cuts", "how an answer is cut into reads changes nothing", &check_cuts),
    of_codec("codec-truncation", "an answer that stops anywhere is survived", &check_truncation,
             "in an answer that stops early"),
    of_codec("codec-noise", "an answer of random bytes is survived", &check_noise,
             "in an answer of random bytes"),
    of_engine("engine-events", "the end of a call is reported once, and last",
              &check_engine_events),
    of_engine("engine-cancel", "a call that is cancelled ends", &check_engine_cancel),
    of_batch_engine("batch-load", "an engine is loaded, and its figures are well-formed",
                    &check_batch_load),
    of_batch_engine("batch-run", "each sample of a batch has a well-formed result",
                    &check_batch_run),
    of_batch_engine("batch-abilities", "announced abilities work, and no others",
                    &check_batch_abilities),
    of_batch_engine("batch-unknown", "an unknown mode or prompt is refused", &check_batch_unknown,
                    "with an unknown mode or prompt"),
    of_batch_engine("batch-cancel", "a run that is cancelled returns, and no other run",
                    &check_batch_cancel, "in a run that is cancelled"),
    of_batch_engine("batch-profile", "a profiler starts and stops around a run, and within it",
                    &check_batch_profile),
    of_batch_engine("batch-configure", "an unknown option of the engine is refused by its name",
                    &check_batch_configure, "with an unknown option"),
    of_batch_engine("batch-memory", "results stay until the next run, and no lent memory is kept",
                    &check_batch_memory,
                    "where lent memory is unreadable after its call, or with longer structs"),
    of_dataset("dataset-rows", "a row is well-formed, and the same whenever it is read",
               &check_rows),
    of_dataset("dataset-empty", "there is a sample", &check_any_sample),
    of_dataset("dataset-seed", "the same seed makes the same rows", &check_seed),
    of_dataset("dataset-memory", "views of a row stay valid until its arena goes",
               &check_row_memory, "where the memory of an arena is unreadable after its row"),
    of_dataset("dataset-arrivals", "no row arrives before its predecessor", &check_arrivals),
    of_dataset("dataset-end", "a row beyond the last is answered with IFB_END", &check_rows_end),
    of_dataset("dataset-wanted", "any number of samples is given, or refused with a reason",
               &check_wanted),
    of_dataset("dataset-parallel", "rows that are read at the same time are as usual",
               &check_parallel, "while several threads read"),
    of_reporter("reporter-empty", "a run without records is reported", &check_no_records),
    of_reporter("reporter-metrics", "unknown metrics do no harm", &check_unknown_metric),
    of_reporter("reporter-stamps", "a reporter that declares that it reads no stamps reads none",
                &check_stamps, "in records without stamps"),
    of_reporter("reporter-replay", "a run from a journal is reported", &check_replayed),
    of_reporter("reporter-broken", "a run that breaks off anywhere is survived", &check_broken_off,
                "in a run that breaks off"),
    of_reporter("reporter-folder", "a folder that cannot be written to is reported", &check_folder),
    of_table_reporter("table-runs", "any number of runs is reported side by side",
                      &check_table_runs),
    of_table_reporter("table-figures", "unknown figures and intervals do no harm",
                      &check_table_figures),
    of_table_reporter("table-records", "records of a damaged journal are survived",
                      &check_table_records, "in records of a damaged journal"),
    of_table_reporter("table-broken", "a table that breaks off anywhere is survived",
                      &check_table_broken_off, "in a table that breaks off"),
    of_table_reporter("table-folder", "a folder that cannot be written to is reported for a table",
                      &check_table_folder),
    of_table_reporter("table-memory", "what a table lends is not used after the call",
                      &check_table_memory,
                      "where lent memory is unreadable after its call, or with longer structs"),
    of_tokenizer("tokenizer-count",
                 "count is the number of ids that encode yields, all of them "
                 "in the vocabulary",
                 &check_count),
    of_tokenizer("tokenizer-flags", "unknown flags are refused", &check_flags,
                 "with an unknown flag, or with NULL for the error"),
    of_tokenizer("tokenizer-room", "no more is written than there is room for", &check_room,
                 "where the memory after the room is unreadable"),
    of_tokenizer("tokenizer-decode", "the ids that encode yields can be decoded", &check_decode),
    of_tokenizer("tokenizer-render", "a chat is rendered, or refused with a reason", &check_render),
    of_scorer("scorer-scores", "an answer has a score from 0 to 1 or none, and always the same",
              &check_scores),
    of_plugin("instances", "two instances do not see each other", &check_instances),
    of_plugin("files-missing", "a missing file is reported", &check_files_missing,
              "with a file that does not exist"),
    of_plugin("files-damaged", "a damaged file is read or refused", &check_files_damaged,
              "with a damaged file"),
    of_plugin("borrowing", "lent memory is not used after the call", &check_borrowing,
              "where lent memory is unreadable after its call"),
    of_plugin("threads", "calls on several threads answer as on one", &check_threads,
              "while several threads make calls"),
    of_codec("codec-handover", "a request that another thread made is answered as usual",
             &check_handover, "where another thread calls open and request"),
    of_plugin("no-memory", "a host without memory is survived", &check_no_memory,
              "after a call of alloc answered NULL"),
    of_plugin("no-services", "a host without services is survived", &check_no_services,
              "on a host whose `service` answers NULL"),
    of_plugin("forward", "the plugin works with hosts and structs of other minor versions",
              &check_forward, "with longer structs, or with unreadable memory after each struct"),
    of_plugin("cost", "the time that a call takes", &check_cost),
};

}  // namespace

std::span<const test> tests() { return table; }

}  // namespace inferbench::check
