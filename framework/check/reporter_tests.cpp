// Tests of reporters: unusual runs, and folders that cannot be written to.
#include <string>
#include <string_view>
#include <vector>

#include "check/instance_under_test.hpp"
#include "check/run.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

// The contents of a run for a reporter.
struct story {
  std::size_t records = 3;
  bool unknown = false;  // include metrics that no host has yet
  bool stamps = true;
  bool interrupted = false;
  int calls = 4;  // the number of calls among begin, records, snapshot and end
};

// The result of a report from begin to end: the call that failed, and its status and error.
struct reporter_call {
  std::string call;  // empty: no call failed
  ifb_status status = IFB_OK;
  ifb_error error = blank_error();
};

reporter_call run(subject& s, instance_under_test& instance, const story& what) {
  const plugin::reporter ops = reporter_of(s);
  lent_memory memory;
  reporter_call out;
  const auto called = [&](const char* call, ifb_status status) {
    out.status = status;
    judge_refusal(s, call, status, out.error);
    if (status < 0) out.call = call;
    return status >= 0;
  };
  if (!called("begin", ops.begin(instance.get(), lend_run(memory), &out.error))) return out;
  if (what.calls > 1 && what.records > 0) {
    const auto all = lend_records(memory, what.records, what.stamps);
    if (!called("records", ops.records(instance.get(), all.data(), all.size(),
                                       memory.stride<ifb_record>(), &out.error)))
      return out;
  }
  if (what.calls > 2) {
    const auto metrics = lend_metrics(memory, what.unknown);
    if (!called("snapshot", ops.snapshot(instance.get(), metrics.data(), metrics.size(),
                                         memory.stride<ifb_metric>(), &out.error)))
      return out;
  }
  if (what.calls < 4) return out;
  const ifb_summary* const summary =
      lend_summary(memory, what.unknown, what.interrupted ? IFB_SUMMARY_INTERRUPTED : 0);
  called("end", ops.end(instance.get(), summary, &out.error));
  return out;
}

void expect_report(subject& s, const std::vector<options::option_value>& values, const story& what,
                   const std::string& of) {
  const host on({});
  instance_under_test instance(s, on, values);
  need(instance);
  const reporter_call out = run(s, instance, what);
  if (!out.call.empty())
    s.fail(out.call + " fails" + of + ": " + refusal(out.status, out.error),
           "report what there is");
}

}  // namespace

void check_no_records(subject& s) {
  expect_report(s, s.values(), {.records = 0}, ", of a run without records");
}

void check_unknown_metric(subject& s) {
  expect_report(s, s.values(), {.unknown = true}, ", of a run with unknown metrics");
}

void check_stamps(subject& s) {
  const ifb_reporter& ops = reporter_of(s);
  if ((ops.flags & IFB_REPORTER_STAMPS_IF_DETAILED) == 0)
    subject::skip(
        "the reporter reads all stamps: its flags do not contain IFB_REPORTER_STAMPS_IF_DETAILED");
  auto values = s.values();
  const auto options = s.plugin().options();
  for (std::size_t i = 0; i < options.size(); ++i)
    if (std::string_view(options[i]->name) == "save-detailed") values[i].integer = 0;
  expect_report(s, values, {.stamps = false}, ", of records without stamps");
}

void check_broken_off(subject& s) {
  for (const int calls : {1, 2, 3})
    expect_report(s, s.values(), {.calls = calls}, ", of a run that breaks off");
  expect_report(s, s.values(), {.interrupted = true}, ", of a run that was stopped");
  expect_report(s, s.values(), {.records = 0, .interrupted = true, .calls = 4},
                ", of a run that was stopped at once");
}

void check_folder(subject& s) {
  auto values = s.values();
  const auto options = s.plugin().options();
  bool any = false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i]->type != IFB_PATH) continue;
    values[i].is_set = true;
    values[i].text = "/dev/null/folder";  // even root cannot make this folder
    any = true;
  }
  if (!any) subject::skip("the plugin has no option that is a path");
  const host on({});
  instance_under_test instance(s, on, values);
  if (!instance) {
    judge_refusal(s, "create", instance.status, instance.error);
    return;
  }
  const reporter_call out = run(s, instance, {});
  // A reporter that adds pictures to a result may leave out a picture if it logs this.
  if (out.call.empty() && on.complaints() == 0)
    s.fail("a report into a folder that cannot be made succeeds without a word",
           "fail with IFB_E_IO where a file cannot be written; best in begin, before anything is "
           "measured");
}

}  // namespace inferbench::check
