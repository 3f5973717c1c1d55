#include "check/exercise.hpp"
#include "check/run.hpp"

namespace inferbench::check {

std::vector<std::string> exercise_reporter(subject& s, made& instance, const effort& how) {
  std::vector<std::string> out;
  const plugin::reporter ops = reporter_of(s);
  lender memory(how.memory);
  ifb_error error = blank_error();
  ifb_status status = IFB_OK;
  const auto said = [&](const char* call) {
    memory.give_back();
    if (how.judging) judge_refusal(s, call, status, error);
    out.push_back(std::string(call) + " " + refusal(status, error));
    error = blank_error();
    return status >= 0;
  };
  status = ops.begin(instance.get(), lend_run(memory), &error);
  if (!said("begin")) return out;
  const auto records = lend_records(memory, 3);
  status = ops.records(instance.get(), records.data(), records.size(), memory.stride<ifb_record>(),
                       &error);
  if (!said("records")) return out;
  const auto metrics = lend_metrics(memory, false);
  status = ops.snapshot(instance.get(), metrics.data(), metrics.size(), memory.stride<ifb_metric>(),
                        &error);
  if (!said("snapshot")) return out;
  status = ops.end(instance.get(), lend_summary(memory, false), &error);
  said("end");
  return out;
}

}  // namespace inferbench::check
