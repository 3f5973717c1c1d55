// The engines of tests/fixtures/plugins/batch_engine, each with one fault. The test for that fault
// is the first test that finds it. The same engine without a fault passes.
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

std::string batch_library(const std::string& name) { return BATCH_ENGINES "/" + name + ".so"; }

// Selects all tests of plugins up to this test.
std::string plugin_tests_up_to(std::string_view name) {
  std::string out;
  for (const test& t : tests()) {
    if (!t.of_library) out += std::string(" --only ") + t.name;
    if (name == t.name) break;
  }
  return out;
}

class wrong_batch_engine : public testing::TestWithParam<fault> {};

TEST_P(wrong_batch_engine, is_caught_by_the_test_that_is_meant_for_it) {
  const fault& f = GetParam();
  expect_fault(batch_library(std::string("batch_") + f.plugin), plugin_tests_up_to(f.test), f);
}

constexpr fault batch_faults[] = {
    {"positive", "calls", "failed", "run answers with IFB_END, which this call does not have"},
    {"load-size", "calls", "failed", "load changes the struct_size"},
    {"run-size", "calls", "failed", "run changes the struct_size"},
    {"load-fails", "batch-load", "failed", "load fails: IFB_E_IO: the disk is gone"},
    {"length", "batch-load", "failed", "max_model_len is 0"},
    {"load-time", "batch-load", "failed", "load_ns is 3600.0"},
    {"unit", "batch-load", "failed", "measures[1].unit is \"ms\""},
    {"stage", "batch-load", "failed", "measures[1].ended_ns is before began_ns"},
    {"nan", "batch-load", "failed", "measures[0].value is nan"},
    {"description", "batch-load", "failed", "description is not UTF-8: byte 3"},
    {"half-profile", "batch-load", "failed", "start_profile and no stop_profile"},
    {"flags", "batch-load", "warned", "bits that the draft does not have"},
    {"settings", "batch-load", "failed", "configure fails: IFB_E_CONFIG: no options are given"},
    {"fewer", "batch-run", "failed", "a batch of one sample: result_count is 0 for 1 samples"},
    {"stride", "batch-run", "failed", "results has stride 8"},
    {"result-size", "batch-run", "failed", "results[0].struct_size is 8"},
    {"elapsed", "batch-run", "failed", "elapsed_ns is 0"},
    {"early", "batch-run", "failed", "s outside of the call of run"},
    {"late", "batch-run", "failed", "began_ns + elapsed_ns is "},
    {"silent", "batch-run", "failed", "results[0].error is empty, and status is IFB_E_DATA"},
    {"error", "batch-run", "failed", "results[0].error is not empty, and status is IFB_OK"},
    {"sample", "batch-run", "failed", "a sample fails, results[0]: IFB_E_DATA: too long"},
    {"one-output", "batch-run", "failed",
     "a batch with 2 outputs for each sample: results[0].output_count is 1 instead of 2"},
    {"long", "batch-run", "failed", "results[0].outputs[0].tokens is 5, more than the wanted 4"},
    {"short", "batch-run", "failed", "results[0].outputs[0].tokens is 3, less than the wanted 4"},
    {"stops", "batch-run", "warned", "outputs are shorter than wanted"},
    {"ids", "batch-run", "failed", "results[1].prompt_tokens is 5 for a prompt of 4 token ids"},
    {"backwards", "batch-run", "failed", "results[0].last_token_ns is before first_token_ns"},
    {"outside", "batch-run", "failed", "results[0].arrived_ns is "},
    {"events", "batch-run", "failed", "a batch of 3 samples: results[0].token_ns[1] is before"},
    {"event-count", "batch-run", "failed", "results[0].token_count is 7"},
    {"text", "batch-run", "failed", "a batch without text: results[0].outputs[0].text"},
    {"utf8", "batch-run", "failed", "results[0].outputs[0].text is not UTF-8: byte 3"},
    {"once", "batch-run", "failed", "run fails: IFB_E_INTERNAL: the engine is worn out"},
    {"unannounced", "batch-abilities", "failed", "a chat is carried out, but the table"},
    {"unannounced-async", "batch-abilities", "warned", "an asynchronous batch is carried out, but"},
    {"stage-of-chat", "batch-abilities", "failed", "a chat: results[0].measures[0].name is empty"},
    {"mode", "batch-unknown", "failed", "a batch of mode 77"},
    {"shape", "batch-unknown", "failed", "a sample with a prompt of shape 99"},
    {"sticky", "batch-cancel", "failed", "after a cancel between two runs, run fails"},
    {"cancel-code", "batch-cancel", "failed", "when it is cancelled, run fails: IFB_E_IO"},
    {"deaf", "batch-cancel", "failed", "a run that was cancelled does not return",
     "--time-limit 4"},
    {"start", "batch-profile", "failed", "start_profile fails: IFB_E_IO: the profiler is gone"},
    {"unnamed-profiler", "batch-profile", "warned", "but load names no profiler"},
    {"takes-any", "batch-configure", "warned", "takes the option inferbench_check_unknown"},
    {"nameless", "batch-configure", "failed", "an unknown option is refused without its name"},
    {"figures", "batch-memory", "failed", "the figures of load change after load"},
    {"walks", "batch-memory", "crashed", "run"},
    {"keeps-batch", "batch-memory", "crashed", "run"},
    {"keeps-error", "batch-memory", "crashed", "run"}};

std::string name_of_engine(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(kit, wrong_batch_engine, testing::ValuesIn(batch_faults),
                         [](const auto& each) { return name_of_engine(each.param.plugin); });

class right_batch_engine : public testing::TestWithParam<const char*> {};

TEST_P(right_batch_engine, passes_every_test) {
  const ended e = run(batch_library(GetParam()));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr(" 0 warned, 0 failed, 0 crashed"));
}

INSTANTIATE_TEST_SUITE_P(kit, right_batch_engine,
                         testing::Values("batch", "without_profiler", "configured"),
                         [](const auto& each) { return std::string(each.param); });

TEST(plugin_check, needs_no_other_interface_beside_that_of_a_batch_engine) {
  const ended e = run(batch_library("batch") + " --only interfaces --only batch-");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("8 passed, 0 warned, 0 failed, 0 crashed, 1 skipped"));
}

}  // namespace
}  // namespace inferbench::check
