// The faults that the kit finds in the structs of an engine of the draft inferbench.batch-engine.
// One sound report is changed in one member each.
#include "check/batch_faults.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "check/batch_text.hpp"

namespace inferbench::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t one_second = 1'000'000'000;
constexpr std::uint64_t section_begin = 100 * one_second;
constexpr call_times around_the_run{section_begin - one_second / 10,
                                    section_begin + 3 * one_second};

std::vector<std::string> said_by(const std::vector<finding>& faults) {
  std::vector<std::string> out;
  for (const finding& each : faults)
    out.push_back((each.failure ? "" : "warning: ") + each.what);
  return out;
}

// A sound report on two samples with two outputs each.
struct sound_report {
  std::array<ifb_measure, 1> stages{{{sizeof(ifb_measure), 0, ifb::str("encoder"), ifb::str("s"),
                                      0.5, section_begin + 1, section_begin + 2}}};
  std::array<std::uint64_t, 2> events{section_begin + 10, section_begin + 20};
  std::array<std::array<ifb_batch_output, 2>, 2> outputs{};
  std::array<ifb_batch_result, 2> results{};
  ifb_batch_report report{};
  wanted_batch wanted{.name = "a batch",
                      .samples = {text_sample(), ids_sample()},
                      .flags = IFB_BATCH_STAMPS,
                      .n = 2,
                      .max_tokens = -1};

  sound_report() {
    for (std::size_t i = 0; i < 2; ++i) {
      for (ifb_batch_output& each : outputs[i])
        each = {sizeof each, IFB_BATCH_FINISHED, wanted.length_of(i), ifb::str("word"),
                ifb::str("length")};
      ifb_batch_result& result = results[i];
      result.struct_size = sizeof result;
      result.prompt_tokens = i == 1 ? 4 : -1;
      result.outputs = outputs[i].data();
      result.output_count = 2;
      result.output_stride = sizeof(ifb_batch_output);
      result.arrived_ns = section_begin + 1;
      result.first_token_ns = section_begin + 10;
      result.last_token_ns = section_begin + 20;
      result.measures = {stages.data(), 1, sizeof(ifb_measure)};
      result.token_ns = events.data();
      result.token_count = events.size();
    }
    report.struct_size = sizeof report;
    report.began_ns = section_begin;
    report.elapsed_ns = one_second;
    report.results = results.data();
    report.result_count = 2;
    report.result_stride = sizeof(ifb_batch_result);
    report.measures = {stages.data(), 1, sizeof(ifb_measure)};
  }

  [[nodiscard]] std::vector<std::string> faults(std::uint64_t bound_ns = 0) const {
    return said_by(faults_of(report, wanted, around_the_run, bound_ns));
  }
};

TEST(batch_report, is_sound) {
  const sound_report of;
  EXPECT_THAT(of.faults(), IsEmpty());
  EXPECT_EQ(first_failure(of.report), "");
  EXPECT_THAT(text_of(of.report), HasSubstr("output 1 5 \"word\" length"));
}

struct report_fault {
  const char* name;
  std::function<void(sound_report&)> make;
  const char* what;
};
void PrintTo(const report_fault& of, std::ostream* out) { *out << of.name; }

class spoilt_report : public testing::TestWithParam<report_fault> {};

TEST_P(spoilt_report, is_blamed_for_this_member_only) {
  sound_report of;
  GetParam().make(of);
  EXPECT_THAT(of.faults(), ElementsAre(HasSubstr(GetParam().what)));
}

const report_fault report_faults[] = {
    {"no_beginning", [](sound_report& r) { r.report.began_ns = 0; }, "began_ns is 0"},
    {"no_duration",
     [](sound_report& r) {
       r.report.elapsed_ns = 0;
       for (ifb_batch_result& each : r.results)
         each.arrived_ns = each.first_token_ns = each.last_token_ns = 0;
       r.wanted.flags = 0;
     },
     "elapsed_ns is 0"},
    {"begins_before_the_call", [](sound_report& r) { r.report.began_ns -= one_second; },
     "began_ns is 0.900000 s outside of the call of run"},
    {"ends_after_the_call", [](sound_report& r) { r.report.elapsed_ns *= 4; },
     "began_ns + elapsed_ns is 1.000000 s after the call of run"},
    {"fewer_results", [](sound_report& r) { r.report.result_count = 1; },
     "result_count is 1 for 2 samples"},
    {"stride_of_results", [](sound_report& r) { r.report.result_stride = 0; },
     "results has stride 0"},
    {"no_results", [](sound_report& r) { r.report.results = nullptr; },
     "results has 2 elements at no address"},
    {"size_of_a_result", [](sound_report& r) { r.results[1].struct_size = 0; },
     "results[1].struct_size is 0 instead of at least"},
    {"reserved", [](sound_report& r) { r.report.reserved = 7; }, "reserved is 7"},
    {"status_above_zero",
     [](sound_report& r) { r.results[0].status = 3, r.results[0].error = ifb::str("x"); },
     "results[0].status is IFB_SKIP, which is no error of abi.h"},
    {"silent_failure", [](sound_report& r) { r.results[0].status = IFB_E_DATA; },
     "results[0].error is empty, and status is IFB_E_DATA"},
    {"error_of_a_success", [](sound_report& r) { r.results[1].error = ifb::str("no"); },
     "results[1].error is not empty, and status is IFB_OK"},
    {"no_outputs", [](sound_report& r) { r.results[1].output_count = 0; },
     "results[1].outputs is empty, and status is IFB_OK"},
    {"fewer_outputs", [](sound_report& r) { r.results[1].output_count = 1; },
     "results[1].output_count is 1 instead of 2"},
    {"prompt", [](sound_report& r) { r.results[1].prompt_tokens = 5; },
     "results[1].prompt_tokens is 5 for a prompt of 4 token ids"},
    {"negative_prompt", [](sound_report& r) { r.results[0].prompt_tokens = -2; },
     "results[0].prompt_tokens is -2"},
    {"too_long", [](sound_report& r) { r.outputs[1][1].tokens = 4; },
     "results[1].outputs[1].tokens is 4, more than the wanted 3"},
    {"too_short", [](sound_report& r) { r.outputs[1][1].tokens = 2; },
     "results[1].outputs[1].tokens is 2, less than the wanted 3, and the reason of the end is "
     "\"length\""},
    {"ends_early",
     [](sound_report& r) { r.outputs[0][0].tokens = 2, r.outputs[0][0].finish_reason = {}; },
     "warning: outputs are shorter than wanted"},
    {"not_finished", [](sound_report& r) { r.outputs[0][0].flags = 0; },
     "warning: an output is without IFB_BATCH_FINISHED"},
    {"text_of_no_text",
     [](sound_report& r) {
       r.wanted.flags |= IFB_BATCH_NO_TEXT;
       for (auto& each : r.outputs)
         each[0].text = each[1].text = {};
       r.outputs[1][0].text = ifb::str("word");
     },
     "results[1].outputs[0].text is not empty, and the batch has the flag IFB_BATCH_NO_TEXT"},
    {"text", [](sound_report& r) { r.outputs[0][1].text = ifb::str("caf\xE9"); },
     "results[0].outputs[1].text is not UTF-8: byte 3 is wrong"},
    {"text_at_no_address", [](sound_report& r) { r.outputs[0][1].finish_reason = {nullptr, 5}; },
     "results[0].outputs[1].finish_reason has 5 bytes at no address"},
    {"arrives_outside", [](sound_report& r) { r.results[0].arrived_ns = 10; },
     "results[0].arrived_ns is 100.000000 s outside of the timed section"},
    {"arrives_late",
     [](sound_report& r) { r.results[0].arrived_ns = section_begin + one_second / 2; },
     "results[0].first_token_ns is before arrived_ns"},
    {"backwards", [](sound_report& r) { r.results[1].last_token_ns = section_begin + 9; },
     "results[1].last_token_ns is before first_token_ns"},
    {"descending_events", [](sound_report& r) { r.events[1] = section_begin + 9; },
     "results[0].token_ns[1] is before the time before it"},
    {"count_of_no_events", [](sound_report& r) { r.results[0].token_ns = nullptr; },
     "results[0].token_ns is NULL, and token_count is 2"},
    {"more_events_than_tokens", [](sound_report& r) { r.results[0].token_count = 11; },
     "results[0].token_count is 11, and the outputs have 10 tokens"},
    {"unit",
     [](sound_report& r) { r.report.measures.count = 0, r.stages[0].unit = ifb::str("ms"); },
     "results[0].measures[0].unit is \"ms\""},
    {"measure_of_the_batch",
     [](sound_report& r) {
       for (ifb_batch_result& each : r.results)
         each.measures = {};
       r.stages[0].value = std::numeric_limits<double>::infinity();
     },
     "measures[0].value is inf"}};

INSTANTIATE_TEST_SUITE_P(members, spoilt_report, testing::ValuesIn(report_faults),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(batch_report, may_miss_times_by_the_error_of_the_clock) {
  sound_report of;
  of.report.began_ns -= one_second / 2;
  for (ifb_batch_result& each : of.results)
    each.last_token_ns = section_begin + one_second;
  EXPECT_THAT(of.faults(one_second / 2), IsEmpty());
  EXPECT_THAT(of.faults(), ElementsAre(HasSubstr("began_ns is 0.400000 s outside")));
}

TEST(batch_report, of_a_beam_search_may_have_fewer_beams_but_not_more) {
  sound_report of;
  of.wanted.mode = IFB_BATCH_BEAM_SEARCH;
  of.wanted.n = 1;
  of.wanted.beam_width = 3;
  EXPECT_THAT(of.faults(), IsEmpty());
  of.wanted.beam_width = 1;
  EXPECT_THAT(of.faults(), ElementsAre("results[0].output_count is 2 instead of 1"));
}

TEST(batch_report, may_leave_out_everything_that_is_not_known) {
  sound_report of;
  for (std::size_t i = 0; i < 2; ++i) {
    ifb_batch_result& result = of.results[i];
    result.prompt_tokens = -1;
    result.arrived_ns = result.first_token_ns = result.last_token_ns = 0;
    result.token_ns = nullptr;
    result.token_count = 0;
    result.measures = {};
    for (ifb_batch_output& each : of.outputs[i])
      each.tokens = -1, each.text = each.finish_reason = {};
  }
  EXPECT_THAT(of.faults(), IsEmpty());
}

TEST(batch_report, names_the_first_sample_that_failed) {
  sound_report of;
  of.results[1].status = IFB_E_DATA;
  of.results[1].error = ifb::str("too long");
  EXPECT_THAT(of.faults(), IsEmpty());
  EXPECT_EQ(first_failure(of.report), "results[1]: IFB_E_DATA: too long");
}

TEST(batch_report, survives_the_largest_numbers) {
  sound_report of;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  of.report.began_ns = of.report.elapsed_ns = most;
  of.results[0].arrived_ns = of.results[0].first_token_ns = of.results[0].last_token_ns = most;
  of.outputs[0][0].tokens = std::numeric_limits<std::int64_t>::min();
  EXPECT_THAT(of.faults(most), testing::Not(IsEmpty()));
}

ifb_loaded_engine sound_engine() {
  ifb_loaded_engine out{};
  out.struct_size = sizeof out;
  out.max_model_len = 64;
  out.max_adapters = -1;
  out.load_ns = one_second;
  out.profiler = ifb::str("torch");
  out.description = ifb::str("echo 1.0");
  return out;
}

TEST(loaded_engine, is_blamed_for_each_wrong_member) {
  const auto faults = [](const ifb_loaded_engine& of) {
    return said_by(faults_of(of, around_the_run));
  };
  EXPECT_THAT(faults(sound_engine()), IsEmpty());
  ifb_loaded_engine of = sound_engine();
  of.max_model_len = 0;
  of.max_adapters = -2;
  of.load_ns = 10 * one_second;
  of.profiler = ifb::str("\xFF");
  of.clock_bound_ns = 2 * one_second;
  of.measures = {nullptr, 3, sizeof(ifb_measure)};
  EXPECT_THAT(faults(of), ElementsAre("max_model_len is 0", "max_adapters is -2",
                                      "load_ns is 10.000000 s, and load took 3.100000 s",
                                      "measures has 3 elements at no address",
                                      "profiler is not UTF-8: byte 0 is wrong",
                                      "warning: clock_bound_ns is more than a second"));
}

TEST(loaded_engine, has_measures_in_seconds_or_as_counts) {
  ifb_loaded_engine of = sound_engine();
  ifb_measure stage{sizeof stage, 0, ifb::str("compilation"), ifb::str("s"), 1, 20, 10};
  of.measures = {&stage, 1, sizeof stage};
  EXPECT_THAT(said_by(faults_of(of, around_the_run)),
              ElementsAre("measures[0].ended_ns is before began_ns"));
  stage = {sizeof stage, 0, {}, ifb::str("1"), -1, 0, 0};
  EXPECT_THAT(said_by(faults_of(of, around_the_run)), ElementsAre("measures[0].name is empty"));
  stage = {sizeof stage, 0, ifb::str("a"), ifb::str("s"), -1, 0, 0};
  EXPECT_THAT(said_by(faults_of(of, around_the_run)),
              ElementsAre("measures[0].value is a duration of -1 s"));
}

}  // namespace
}  // namespace inferbench::check
