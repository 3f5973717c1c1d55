#include <cmath>

#include <fmt/format.h>

#include <inferbench/draft/scorer.h>

#include "check/exercise.hpp"
#include "check/raw_call.hpp"
#include "check/scorer_answers.hpp"
#include "check/utf8.hpp"
#include "plugin/instance.hpp"

namespace inferbench::check {

std::vector<std::string> exercise_scorer(subject& s, instance_under_test& instance,
                                         const effort& how) {
  const plugin::scorer ops = scorer_of(s);
  std::vector<std::string> out;
  lent_memory memory(how.memory);
  arena room(how.memory);
  for (const scorer_answer& each : scorer_answers()) {
    ifb_error* const lent_error = lend_error(memory);
    auto* const score = memory.room<ifb_score>();
    const std::uint32_t size = score->struct_size;
    const ifb_record* const record = lend_answer(memory, each);
    const ifb_status status = raw_call(ops.plugin, "score", ops.ifb_scorer::score, instance.get(),
                                       record, room.handle(), score, lent_error);
    const ifb_error error = *lent_error;
    if (score->struct_size != size)
      s.fail("score changes the struct_size of the struct that it fills in",
             "leave struct_size as the host set it (rule R3 in abi.h)");
    std::string line = std::string(each.name) + ": ";
    if (status == IFB_OK) {
      const std::string reason(plugin::view(score->reason));
      if (how.judging && !(score->value >= 0 && score->value <= 1))
        s.fail(fmt::format("the score of an answer is {}: {}", score->value, each.name),
               "answer with a value from 0 to 1, or with IFB_SKIP");
      if (how.judging && !is_utf8(reason))
        s.fail(fmt::format("a reason is not UTF-8: {}", each.name),
               "write texts in UTF-8 (rule R1 in abi.h)");
      line += fmt::format("{} {}", score->value, reason);
    } else {
      line += refusal(status, error);
      if (how.judging) judge_refusal(s, "score", status, error);
    }
    memory.give_back();
    room.close();
    out.push_back(std::move(line));
    if (status < 0) break;
  }
  return out;
}

}  // namespace inferbench::check
