#include "check/test.hpp"

namespace inferbench::check {

namespace {

constexpr test of_library(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name, .sentence = sentence, .of_library = true, .run = run};
}
constexpr test of_plugin(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name, .sentence = sentence, .run = run};
}
constexpr test of_codec(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name,
          .sentence = sentence,
          .kind = IFB_BACKEND,
          .interface_id = IFB_HTTP_CODEC,
          .run = run};
}
constexpr test of_engine(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name,
          .sentence = sentence,
          .kind = IFB_BACKEND,
          .interface_id = IFB_ENGINE,
          .run = run};
}
constexpr test of_dataset(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name,
          .sentence = sentence,
          .kind = IFB_DATASET,
          .interface_id = IFB_DATASET_OPS,
          .run = run};
}
constexpr test of_reporter(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name,
          .sentence = sentence,
          .kind = IFB_REPORTER,
          .interface_id = IFB_REPORTER_OPS,
          .run = run};
}
constexpr test of_tokenizer(const char* name, const char* sentence, void (*run)(subject&)) {
  return {.name = name,
          .sentence = sentence,
          .kind = IFB_TOKENIZER,
          .interface_id = IFB_TOKENIZER_OPS,
          .run = run};
}

constexpr test table[] = {
    of_library("file-exports", "the library exports its entry function and nothing else",
               &check_exports),
    of_library("file-segments", "no code is patched while loading, and no stack is executable",
               &check_segments),
    of_library("file-needs", "the library names the libraries that it needs without a path",
               &check_needed),
    of_library("file-loads", "all symbols are found when the library is loaded", &check_loads),
    of_library("file-runtime", "the library does not bring a second C++ library", &check_runtime),
    of_library("entry", "loading and the entry function are quick and leave nothing behind",
               &check_entry),
    of_library("library", "the library struct holds what the contract demands", &check_library),
    of_plugin("descriptor", "id, version and texts are well-formed", &check_descriptor),
    of_plugin("options", "options are well-formed, and their defaults are of their types",
              &check_options),
    of_plugin("interfaces", "query answers what the descriptor lists", &check_interfaces),
    of_plugin("create", "an instance can be made and destroyed", &check_create),
    of_plugin("create-growth", "making and destroying instances again and again uses nothing up",
              &check_growth),
    of_plugin("create-values", "any value of an option is taken or refused with a reason",
              &check_values),
    of_plugin("calls", "each call answers with a status of the contract, and a refusal says why",
              &check_calls),
    of_plugin("calls-growth", "a short life, again and again, uses nothing up", &check_call_growth),
    of_plugin("process", "signals, environment and the like are left alone", &check_process),
    of_plugin("instances", "two instances do not see each other", &check_instances),
    of_codec("codec-request", "the request can be sent, and is the same each time", &check_request),
    of_codec("codec-events", "the end of an answer is reported once, and last", &check_events),
    of_codec("codec-close", "an exchange can be closed in any state", &check_close),
    of_codec("codec-transcripts", "recorded exchanges are heard as recorded", &check_transcripts),
    of_codec("codec-cuts", "how an answer is cut into reads changes nothing", &check_cuts),
    of_codec("codec-truncation", "an answer that stops anywhere is survived", &check_truncation),
    of_codec("codec-noise", "an answer of random bytes is survived", &check_noise),
    of_engine("engine-events", "the end of a call is reported once, and last",
              &check_engine_events),
    of_engine("engine-cancel", "a call that is cancelled ends", &check_engine_cancel),
    of_dataset("dataset-rows", "a row is well-formed, and the same whenever it is read",
               &check_rows),
    of_dataset("dataset-seed", "the same seed makes the same rows", &check_seed),
    of_dataset("dataset-memory", "views of a row stay valid until its arena goes",
               &check_row_memory),
    of_dataset("dataset-end", "a row beyond the last is answered with IFB_END", &check_rows_end),
    of_dataset("dataset-wanted", "any number of samples is given, or refused with a reason",
               &check_wanted),
    of_reporter("reporter-empty", "a run without records is reported", &check_no_records),
    of_reporter("reporter-metrics", "unknown metrics do no harm", &check_unknown_metric),
    of_reporter("reporter-stamps", "a reporter that declares that it reads no stamps reads none",
                &check_stamps),
    of_reporter("reporter-broken", "a run that breaks off anywhere is survived", &check_broken_off),
    of_reporter("reporter-folder", "a folder that cannot be written to is reported", &check_folder),
    of_tokenizer("tokenizer-count",
                 "count is the number of ids that encode yields, all of them "
                 "in the vocabulary",
                 &check_count),
    of_tokenizer("tokenizer-room", "no more is written than there is room for", &check_room),
    of_tokenizer("tokenizer-decode", "what was encoded can be decoded", &check_decode),
    of_tokenizer("tokenizer-render", "a chat is rendered, or refused with a reason", &check_render),
    of_plugin("files-missing", "a missing file is reported", &check_files_missing),
    of_plugin("files-damaged", "a damaged file is read or refused", &check_files_damaged),
    of_plugin("borrowing", "nothing that was lent is used after the call", &check_borrowing),
    of_plugin("threads", "calls on several threads answer as on one", &check_threads),
    of_plugin("no-memory", "a host without memory is survived", &check_no_memory),
    of_plugin("no-services", "a host without services is survived", &check_no_services),
    of_plugin("forward", "the plugin works with hosts and structs of other minor versions",
              &check_forward),
    of_plugin("cost", "what a call costs", &check_cost),
};

}  // namespace

std::span<const test> tests() { return table; }

}  // namespace inferbench::check
