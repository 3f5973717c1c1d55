// Plugins of tests/framework/check/wrong, each with one fault. The test for that fault is the first
// test that finds it. The same plugins without a fault pass.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/test.hpp"
#include "framework/check/program.hpp"
#include "framework/check/wrong_library.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

// Selects all tests up to this test, since later tests do not matter here.
std::string only_up_to(std::string_view name) {
  std::string out;
  for (const test& t : tests()) {
    out += std::string(" --only ") + t.name;
    if (name == t.name) break;
  }
  return out;
}

class wrong_plugin : public testing::TestWithParam<fault> {};

TEST_P(wrong_plugin, is_caught_by_the_test_that_is_meant_for_it) {
  const fault& f = GetParam();
  expect_fault(wrong(f.plugin), only_up_to(f.test), f);
}

// Each of these plugins is the plugin `right` with one fault.
constexpr fault faults[] = {
#if defined(WITHOUT_SANITIZER)
    {"runtime_two", "file-runtime", "warned", "needed.so, which the library needs, uses another"},
    {"backend_maps", "create-growth", "failed", "bytes of mapped memory behind"},
#endif
    {"library_exports-more", "file-exports", "failed", "helper_of_the_author"},
    {"library_exports-unique", "file-exports", "failed", "shared_by_all"},
    {"library_exec-stack", "file-segments", "failed", "executable stack"},
    {"library_unresolved", "file-loads", "failed", "there_is_no_such_function"},
    {"library_entry-talks", "entry", "failed", "evaluation copy"},
    {"library_entry-file", "entry", "failed", "/dev/null"},
    {"library_entry-thread", "entry", "failed", "starts a thread"},
    {"library_entry-slow", "entry", "failed", " ms"},
    {"library_entry-pointer", "entry", "failed", "different pointer"},
    {"library_entry-crashes", "entry", "crashed", "while it is loaded"},
    {"library_entry-refuses", "entry", "failed", "returns NULL for this host"},
    {"library_id-twice", "library", "failed", "two plugins of kind backend are called one"},
    {"library_reserved", "library", "failed", "`reserved` in the ifb_library is 7 instead of 0"},
    {"backend_id", "descriptor", "failed", "My Backend!"},
    {"backend_fallback", "options", "failed", "of option count is not"},
    {"backend_general", "options", "warned", "option modle has IFB_OPT_GENERAL"},
    {"backend_query", "interfaces", "failed", "does not list this id"},
    {"backend_unlisted", "interfaces", "failed", "query does not answer this id"},
    {"tokenizer_reserved", "interfaces", "failed", "`reserved` in the ifb_tokenizer is 7"},
    {"backend_create-fails", "create", "failed", "cannot find myself"},
    {"backend_create-silent", "create", "failed", "does not say why"},
    {"backend_create-talks", "create", "failed", "creating"},
    {"backend_leak", "create-growth", "failed", "destroyed leaves"},
    {"backend_values", "create-values", "crashed", ""},
    {"backend_status", "calls", "failed", "status 77"},
    {"backend_positive", "calls", "failed", "on_message answers with IFB_MORE, which this call"},
    {"reporter_positive", "calls", "failed", "begin answers with status 5"},
    {"tokenizer_positive", "calls", "failed", "vocabulary answers with IFB_END, which this call"},
    {"backend_open-nothing", "calls", "failed", "hands out no exchange"},
    {"backend_http-reserved", "calls", "failed",
     "`reserved` in an ifb_http_request for the HTTP service is 7 instead of 0"},
    {"backend_unknown", "backend-unknown", "failed", "a prompt of shape 99"},
    {"engine_unknown", "backend-unknown", "failed", "the engine answers a sample with"},
    {"backend_nonce", "codec-request", "failed", "a different request the second time"},
    {"backend_reserved", "codec-request", "failed", "`reserved` in an ifb_http_request is 7"},
    {"backend_sign-target", "codec-sign", "failed", "sign changes the target from /go to /go?"},
    {"backend_sign-once", "codec-sign", "failed", "sign fails if the request is sent again"},
    {"backend_end-silent", "codec-events", "failed", "on_message answered with IFB_END, but"},
    {"backend_more-after-done", "codec-events", "failed", "IFB_MORE after the end"},
    {"backend_no-mime", "codec-events", "failed", "an ifb_token has `data` and no `mime`"},
    {"backend_utf8", "codec-events", "failed",
     "the plugin reports text that is not UTF-8 with on_token"},
    {"backend_usage-reserved", "codec-events", "failed", "`reserved` in an ifb_usage is 7"},
    {"backend_done-reserved", "codec-events", "failed", "`reserved` in an ifb_done is 7"},
    {"engine_utf8", "engine-events", "failed",
     "the plugin reports text that is not UTF-8 with on_token"},
    {"engine_done-reserved", "engine-events", "failed", "`reserved` in an ifb_done is 7"},
    {"backend_handover", "codec-handover", "failed", "where is the thread that opened me?"},
    {"backend_hangs", "calls", "failed", "the test has not ended after 2", "--time-limit 2"},
    {"backend_exits", "calls", "crashed", "ended the process with status 3"},
    {"backend_files", "create-growth", "failed", "1 open file behind"},
    {"backend_leg", "calls", "crashed", "request"},
    {"throws", "calls", "failed", "nobody catches me"},
    {"throws-system", "calls", "failed", "open lets an exception escape: Too many open"},
    {"backend_signal", "process", "failed", "changes the handling of the signal SIGUSR1"},
    {"backend_signal-flags", "process", "failed", "changes the handling of the signal SIGUSR1"},
    {"backend_environment", "process", "warned", "the environment variable WRONG_ENVIRONMENT"},
    {"backend_no-end", "codec-events", "warned", "neither on_done nor on_error"},
    {"backend_keeps-error", "borrowing", "crashed", "on_end"},
    {"backend_exchange-leak", "calls-growth", "failed", "bytes behind"},
    {"backend_shared", "instances", "failed", "beside another instance"},
    {"backend_header", "codec-request", "failed", "a header field cannot be sent"},
    {"backend_done-twice", "codec-events", "failed", "reported 2 times"},
    {"backend_after-done", "codec-events", "failed", "usage 1 - 1 -"},
    {"backend_close", "codec-close", "crashed", "close"},
    {"backend_reads", "codec-cuts", "failed", "reads is heard as"},
    {"backend_truncated", "codec-truncation", "crashed", "on_end"},
    {"backend_noise", "codec-noise", "crashed", "on_message"},
    {"backend_thread", "threads", "failed", "who?"},
    {"backend_keeps-config", "borrowing", "crashed", "open"},
    {"backend_keeps-arena", "borrowing", "crashed", "open"},
    {"backend_keeps-data", "borrowing", "crashed", "on_end"},
    {"backend_alloc", "no-memory", "crashed", "after a call of alloc answered NULL"},
    {"backend_service", "no-services", "crashed", "on a host whose `service` answers NULL"},
    {"backend_stride", "forward", "failed", "on a newer host"},
    {"backend_size", "forward", "failed", "struct_size"},
    {"engine_positive", "calls", "failed", "IFB_END, which this call does not have"},
    {"engine_token-size", "engine-events", "failed", "an ifb_token has struct_size 0"},
    {"engine_blocks-fails", "engine-events", "failed", "hands out a call and then fails"},
    {"engine_blocks-deaf", "engine-cancel", "failed", "does not end", "--time-limit 2"},
    {"engine_blocks-nameless", "engine-cancel", "warned",
     "only the end of the run ends the request", "--time-limit 2"},
    {"engine_blocks-two", "engine-cancel", "failed", "one call early, and another call"},
    {"engine_keeps-error", "borrowing", "crashed", "release"},
    {"engine_thread", "threads", "failed", "IFB_E_INTERNAL"},
    {"engine_busy", "threads", "failed", "error -"},
    {"engine_blocks-signal", "process", "failed",
     "making an instance changes the handling of the signal SIGUSR1", "--time-limit 2"},
    {"engine_blocks-crowd", "threads", "failed", "a call does not end", "--time-limit 4"},
    {"engine_ends-twice", "engine-events", "failed", "2 times"},
    {"threaded_twice", "engine-events", "failed", "2 times"},
    {"threaded_after", "engine-events", "failed",
     "after the end of a call the engine reports `token"},
    {"threaded_forgets", "engine-cancel", "failed", "does not end", "--time-limit 4"},
    {"threaded_internal", "engine-events", "warned", "IFB_E_INTERNAL: panic: out of fuel"},
    {"engine_slow-submit", "cost", "warned", "and no other request leaves meanwhile"},
    {"engine_never-ends", "engine-cancel", "failed", "does not end", "--time-limit 2"},
    {"dataset_row", "dataset-rows", "failed", "differs when it is read again"},
    {"dataset_skip", "dataset-rows", "failed", "does not say why"},
    {"dataset_shape", "dataset-rows", "failed", "its shape is not set"},
    {"dataset_utf8", "dataset-rows", "failed", "row 1: a text in the prompt is not UTF-8: byte 5"},
    {"dataset_length", "dataset-rows", "failed", "row 1: output_tokens is -5"},
    {"dataset_overrides", "dataset-rows", "failed", "overrides are not a JSON object: {not json"},
    {"dataset_message", "dataset-rows", "failed",
     "row 1: the json of a message is not a JSON object: [1]"},
    {"dataset_reserved", "dataset-rows", "failed", "`reserved` in an ifb_sample is 7"},
    {"dataset_no-arrivals", "dataset-rows", "failed", "has no arrival_ns"},
    {"dataset_empty", "dataset-empty", "failed", "the dataset has no rows"},
    {"dataset_skips-all", "dataset-empty", "failed",
     "skips all 5 rows; the first reason: the prompt"},
    {"dataset_order", "dataset-arrivals", "failed",
     "row 2 arrives at 0.100000000 s, but the earlier row 1 arrives at 0.5"},
    {"dataset_endless-ends", "dataset-end", "failed", "row 6 has no sample"},
    {"dataset_endless-counted", "dataset-end", "failed", "sets the number of rows to 5"},
    {"dataset_endless-refuses", "dataset-wanted", "failed", "0 samples wanted, prepare refuses"},
    {"dataset_one-at-a-time", "dataset-parallel", "failed", "one at a time"},
    {"dataset_wanted", "dataset-wanted", "failed", "status 5"},
    {"dataset_keeps-error", "borrowing", "crashed", "read"},
    {"reporter_keeps-error", "borrowing", "crashed", "end"},
    {"dataset_arrivals", "dataset-rows", "failed", "has no arrival_ns"},
    {"file_missing", "files-missing", "failed", "names a file that does not exist",
     "--set path=" INFERBENCH_SOURCE "/tests/framework/check/lines.txt"},
    {"backend_missing-file", "files-missing", "failed", "names a file that does not exist",
     "--set file=" INFERBENCH_SOURCE "/tests/framework/check/lines.txt"},
    {"engine_missing-file", "files-missing", "failed", "names a file that does not exist",
     "--set file=" INFERBENCH_SOURCE "/tests/framework/check/lines.txt"},
    {"file_folder", "files-missing", "warned", "the plugin works although option other names",
     "--set path=" INFERBENCH_SOURCE
     "/tests/framework/check/lines.txt --set other=" INFERBENCH_SOURCE
     "/tests/framework/check/transcripts"},
    {"file_second", "files-damaged", "crashed", "create",
     "--set path=" INFERBENCH_SOURCE
     "/tests/framework/check/lines.txt --set other=" INFERBENCH_SOURCE
     "/tests/framework/check/lines.txt"},
    {"file_damaged", "files-damaged", "crashed", "read",
     "--set path=" INFERBENCH_SOURCE "/tests/framework/check/lines.txt"},
    {"dataset_seed", "dataset-seed", "failed", "other rows"},
    {"dataset_view", "dataset-memory", "failed", "change when the next row is read"},
    {"dataset_end", "dataset-end", "failed", "row 6 of 5 answers IFB_OK"},
    {"dataset_short", "dataset-end", "failed", "row 3 of 5 answers IFB_END"},
    {"dataset_hole", "dataset-end", "failed", "row 3 of 5 answers IFB_END"},
    {"reporter_no-records", "reporter-empty", "failed", "no records"},
    {"reporter_metrics", "reporter-metrics", "failed", "what is this"},
    {"reporter_stamps", "reporter-stamps", "crashed", "records"},
    {"reporter_replay", "reporter-replay", "failed", "no live figures"},
    {"reporter_broken-off", "reporter-broken", "crashed", "destroy"},
    {"reporter_folder", "reporter-folder", "failed", "without a word"},
    {"table_uncounted", "table-runs", "failed", "begin does not know"},
    {"table_records", "table-records", "failed", "backwards"},
    {"table_figures", "table-figures", "failed", "not a number"},
    {"table_stride", "table-memory", "crashed", "run"},
    {"table_keeps", "table-memory", "crashed", "end"},
    {"table_folder", "table-folder", "failed", "without a word"},
    {"table_broken-off", "table-broken", "crashed", "destroy"},
    {"table_positive", "calls", "failed", "begin answers with status 5"},
    {"table_unlisted", "interfaces", "failed", "inferbench.other/1"},
    {"tokenizer_vocabulary", "tokenizer-count", "failed", "the vocabulary"},
    {"tokenizer_count", "tokenizer-count", "failed", "count says"},
    {"tokenizer_flags", "tokenizer-flags", "failed", "encode takes flag 1073741824"},
    {"tokenizer_null-error", "tokenizer-flags", "crashed", "NULL for the error"},
    {"tokenizer_room", "tokenizer-room", "crashed", "encode"},
    {"tokenizer_decode", "tokenizer-decode", "failed", "decode fails"},
    {"tokenizer_render", "tokenizer-render", "failed", "not UTF-8"},
};

std::string as_identifier(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(kit, wrong_plugin, testing::ValuesIn(faults),
                         [](const auto& each) { return as_identifier(each.param.plugin); });

// The same sources without a fault pass, so the findings above are due to the faults.
class right_plugin : public testing::TestWithParam<const char*> {};

TEST_P(right_plugin, passes_every_test) {
  const ended e = run(wrong(GetParam()));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr(" 0 warned, 0 failed, 0 crashed"));
}

INSTANTIATE_TEST_SUITE_P(kit, right_plugin,
                         testing::Values("backend_nothing", "backend_legs", "backend_ends-early",
                                         "backend_signs", "backend_authorizes", "backend_dated",
                                         "engine_nothing", "engine_blocks", "threaded_nothing",
                                         "dataset_nothing", "dataset_endless", "dataset_at-once",
                                         "file_nothing", "reporter_nothing", "reporter_flag",
                                         "table_nothing", "tokenizer_nothing"),
                         [](const auto& each) { return as_identifier(each.param); });

}  // namespace
}  // namespace inferbench::check
