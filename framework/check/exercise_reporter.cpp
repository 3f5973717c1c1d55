#include "check/exercise.hpp"
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
  status = ops.begin(instance.get(), lend_run(memory), lent_error);
  if (!said("begin")) return out;
  const auto records = lend_records(memory, 3);
  status = ops.records(instance.get(), records.data(), records.size(), memory.stride<ifb_record>(),
                       lent_error);
  if (!said("records")) return out;
  const auto metrics = lend_metrics(memory, false);
  status = ops.snapshot(instance.get(), metrics.data(), metrics.size(), memory.stride<ifb_metric>(),
                        lent_error);
  if (!said("snapshot")) return out;
  status = ops.end(instance.get(), lend_summary(memory, false), lent_error);
  said("end");
  return out;
}

}  // namespace inferbench::check
