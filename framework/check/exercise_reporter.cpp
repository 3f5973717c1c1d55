#include "check/exercise.hpp"
#include "check/raw_call.hpp"
#include "check/run.hpp"

namespace inferbench::check {

std::vector<std::string> exercise_reporter(subject& s, instance_under_test& instance,
                                           const effort& how) {
  std::vector<std::string> out;
  const plugin::reporter ops = reporter_of(s);
  lent_memory memory(how.memory);
  ifb_error* lent_error = lend_error(memory);
  ifb_status status = IFB_OK;
  const auto said = [&](const char* call) {
    const ifb_error error = *lent_error;
    memory.give_back();
    if (how.judging) judge_refusal(s, call, status, error);
    out.push_back(std::string(call) + " " + refusal(status, error));
    lent_error = lend_error(memory);
    return status >= 0;
  };
  const ifb_run* const run = lend_run(memory);
  status = raw_call(ops.plugin, "begin", ops.ifb_reporter::begin, instance.get(), run, lent_error);
  if (!said("begin")) return out;
  const auto records = lend_records(memory, 3);
  status = raw_call(ops.plugin, "records", ops.ifb_reporter::records, instance.get(),
                    records.data(), records.size(), memory.stride<ifb_record>(), lent_error);
  if (!said("records")) return out;
  const ifb_snapshot* const figures = lend_snapshot(memory, false);
  status = raw_call(ops.plugin, "snapshot", ops.ifb_reporter::snapshot, instance.get(), figures,
                    lent_error);
  if (!said("snapshot")) return out;
  const ifb_summary* const summary = lend_summary(memory, false);
  status = raw_call(ops.plugin, "end", ops.ifb_reporter::end, instance.get(), summary, lent_error);
  said("end");
  return out;
}

}  // namespace inferbench::check
