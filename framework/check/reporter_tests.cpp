// Reporters: runs that nobody would show, and folders that nobody can write to.
#include <algorithm>

#include "check/made.hpp"
#include "check/run.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

// A report from begin to end; the calls and what they answered.
struct report {
  std::string call;  // that failed, or empty
  ifb_status status = IFB_OK;
  ifb_error error = blank_error();
};

report run(subject& s, made& instance, std::size_t records, bool unknown) {
  const plugin::reporter ops = reporter_of(s);
  lender memory;
  report out;
  const auto called = [&](const char* call, ifb_status status) {
    out.status = status;
    judge_refusal(s, call, status, out.error);
    if (status < 0) out.call = call;
    return status >= 0;
  };
  if (!called("begin", ops.begin(instance.get(), lend_run(memory), &out.error))) return out;
  if (records > 0) {
    const auto all = lend_records(memory, records);
    if (!called("records", ops.records(instance.get(), all.data(), all.size(),
                                       memory.stride<ifb_record>(), &out.error)))
      return out;
  }
  const auto metrics = lend_metrics(memory, unknown);
  if (!called("snapshot", ops.snapshot(instance.get(), metrics.data(), metrics.size(),
                                       memory.stride<ifb_metric>(), &out.error)))
    return out;
  called("end", ops.end(instance.get(), lend_summary(memory, unknown), &out.error));
  return out;
}

void expect_report(subject& s, std::size_t records, bool unknown, const std::string& of) {
  const host on({});
  made instance(s, on, s.values());
  need(instance);
  const report out = run(s, instance, records, unknown);
  if (!out.call.empty())
    s.fail(out.call + " fails" + of + ": " + refusal(out.status, out.error),
           "report what there is");
}

}  // namespace

void check_no_records(subject& s) { expect_report(s, 0, false, ", of a run without records"); }

void check_unknown_metric(subject& s) {
  expect_report(s, 3, true, ", of a run with unknown metrics");
}

void check_folder(subject& s) {
  auto values = s.values();
  const auto options = s.plugin().options();
  bool any = false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i]->type != IFB_PATH) continue;
    values[i].is_set = true;
    values[i].text = "/dev/null/folder";  // not even root can make one there
    any = true;
  }
  if (!any) subject::skip("it has no option that is a path");
  const host on({});
  made instance(s, on, values);
  if (!instance) {
    judge_refusal(s, "create", instance.status, instance.error);
    return;
  }
  const report out = run(s, instance, 3, false);
  // One that draws beside a result may rather go without a picture, and say so.
  if (out.call.empty() && on.complaints() == 0)
    s.fail("a report into a folder that cannot be made succeeds without a word",
           "fail with IFB_E_IO where a file cannot be written; best in begin, before anything is "
           "measured");
}

}  // namespace inferbench::check
