#include "check/exercise.hpp"
#include "check/raw_call.hpp"
#include "check/table.hpp"

namespace inferbench::check {

std::vector<std::string> exercise_table(subject& s, instance_under_test& instance,
                                        const effort& how) {
  std::vector<std::string> out;
  const plugin::table_reporter ops = table_reporter_of(s);
  const table_story what;
  lent_memory memory(how.memory);
  // Each call has memory of its own, which is taken back after the call.
  const auto called = [&](const char* call, auto* function, auto... arguments) {
    ifb_error* const lent = lend_error(memory);
    const ifb_status status =
        raw_call(ops.plugin, call, function, instance.get(), arguments..., lent);
    const ifb_error error = *lent;
    memory.give_back();
    if (how.judging) judge_refusal(s, call, status, error);
    out.push_back(std::string(call) + " " + refusal(status, error));
    return status >= 0;
  };
  if (!called("begin", ops.ifb_table_reporter::begin, lend_table(memory, what))) return out;
  for (std::uint32_t i = 0; i < what.runs; ++i) {
    const ifb_table_run* const of = lend_table_run(memory, what, i, false);
    const auto records = lend_records(memory, what.records);
    if (!called("records", ops.ifb_table_reporter::records, of, records.data(), records.size(),
                std::size_t{memory.stride<ifb_record>()}))
      return out;
    if (!called("run", ops.ifb_table_reporter::run, lend_table_run(memory, what, i, true)))
      return out;
  }
  called("end", ops.ifb_table_reporter::end, lend_table_end(memory, what));
  return out;
}

}  // namespace inferbench::check
