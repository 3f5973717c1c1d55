// The table of tests. A test examines one library or one of its plugins and reports findings. It
// runs in a separate process, so it may crash, hang and leak.
#pragma once

#include <span>

#include <inferbench/abi.h>

namespace inferbench::check {

class subject;

struct test {
  const char* name;                    // for example "codec-cuts"; --only takes this name
  const char* sentence;                // the statement that holds when the test passes
  bool of_library = false;             // the test runs once for a library, not for each of its
                                       // plugins
  ifb_kind kind = 0;                   // kind of plugin to which the test applies; 0: all kinds
  const char* interface_id = nullptr;  // the test is skipped if the plugin does not offer this
                                       // interface
  void (*run)(subject&) = nullptr;
  const char* trap = "";  // the situation in which a crash happens, if the test makes a special
                          // one: "after a call of alloc answered NULL"
};

/// All tests in the order in which they run: a test comes after the tests that it builds on.
[[nodiscard]] std::span<const test> tests();

// The functions of the tests, each in the file of its group.
void check_exports(subject& s);
void check_segments(subject& s);
void check_needed(subject& s);
void check_loads(subject& s);
void check_runtime(subject& s);
void check_entry(subject& s);
void check_library(subject& s);
void check_descriptor(subject& s);
void check_options(subject& s);
void check_interfaces(subject& s);
void check_create(subject& s);
void check_growth(subject& s);
void check_values(subject& s);
void check_calls(subject& s);
void check_call_growth(subject& s);
void check_process(subject& s);
void check_files_missing(subject& s);
void check_files_damaged(subject& s);
void check_instances(subject& s);
void check_unknown_prompts(subject& s);
void check_request(subject& s);
void check_sign(subject& s);
void check_events(subject& s);
void check_transcripts(subject& s);
void check_cuts(subject& s);
void check_truncation(subject& s);
void check_noise(subject& s);
void check_close(subject& s);
void check_rows(subject& s);
void check_any_sample(subject& s);
void check_arrivals(subject& s);
void check_parallel(subject& s);
void check_seed(subject& s);
void check_row_memory(subject& s);
void check_rows_end(subject& s);
void check_wanted(subject& s);
void check_no_records(subject& s);
void check_unknown_metric(subject& s);
void check_replayed(subject& s);
void check_folder(subject& s);
void check_stamps(subject& s);
void check_broken_off(subject& s);
void check_table_runs(subject& s);
void check_table_figures(subject& s);
void check_table_records(subject& s);
void check_table_broken_off(subject& s);
void check_table_folder(subject& s);
void check_table_memory(subject& s);
void check_count(subject& s);
void check_flags(subject& s);
void check_room(subject& s);
void check_decode(subject& s);
void check_render(subject& s);
void check_scores(subject& s);
void check_engine_events(subject& s);
void check_engine_cancel(subject& s);
void check_batch_load(subject& s);
void check_batch_run(subject& s);
void check_batch_abilities(subject& s);
void check_batch_unknown(subject& s);
void check_batch_cancel(subject& s);
void check_batch_profile(subject& s);
void check_batch_configure(subject& s);
void check_batch_memory(subject& s);
void check_threads(subject& s);
void check_handover(subject& s);
void check_borrowing(subject& s);
void check_no_memory(subject& s);
void check_no_services(subject& s);
void check_forward(subject& s);
void check_cost(subject& s);

}  // namespace inferbench::check
