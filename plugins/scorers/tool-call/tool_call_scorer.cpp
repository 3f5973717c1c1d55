#include "tool_call_scorer.hpp"

#include <algorithm>
#include <optional>

#include "expected_calls.hpp"
#include "scorers/common/json_tree.hpp"
#include "scorers/common/schema.hpp"

namespace scorers {

using ifb::draft::attribute;
using ifb::draft::score_result;

score_result tool_call_scorer::score(const ifb_record& of) {
  const auto text = attribute(of, IFB_TOOLS);
  if (!text) return score_result::none();
  const tool_set& tools = tools_.get(*text, [](std::string_view t) { return tool_set(t); });
  if (!tools.usable()) return unscored("the tools of a request are no JSON list of tools");
  const auto calls = read_calls(attribute(of, IFB_TOOL_CALLS).value_or(""));
  if (!calls || calls->empty()) return score_result::wrong("no call");
  const auto expected = chosen_.expected ? attribute(of, IFB_EXPECTED) : std::nullopt;
  // Other data sets expect a text, for example for the scorer exact-match.
  const auto wanted = expected ? expected_calls::read(*expected) : std::nullopt;
  const bool comparable = wanted && wanted->readable();
  // An allowed value counts even if the tool's parameters refuse it: the leaderboard allows the
  // name of a variable for an argument of any type. A required argument must be there even if ""
  // is an allowed value: the leaderboard looks for required arguments first.
  if (comparable && wanted->has_allowed_values() && wanted->accepts(*calls)) {
    const bool complete = std::ranges::all_of(*calls, [&](const call& each) {
      return tools.has_required(each.name, each.arguments.root());
    });
    return complete ? score_result::right() : score_result::wrong("not the schema");
  }
  for (const call& each : *calls)
    if (const score_result found = check(each, tools); found.value() != 1.0) return found;
  if (!wanted) return score_result::right();
  if (!comparable) return unscored("the arguments of an expected call are no JSON");
  return wanted->accepts(*calls) ? score_result::right()
                                 : score_result::wrong("not the expected value");
}

score_result tool_call_scorer::check(const call& made, const tool_set& tools) {
  if (!tools.has(made.name)) return score_result::wrong("unknown tool");
  if (made.outcome == tree_outcome::too_large)
    return unscored("the arguments of a call are too large to check");
  if (made.outcome == tree_outcome::no_json || !made.arguments.root().IsObject())
    return score_result::wrong("arguments are no JSON");
  const schema* const wanted = tools.arguments_of(made.name);
  if (wanted == nullptr) return score_result::right();
  if (!wanted->usable())
    return unscored("the parameters of a tool cannot be used: " + wanted->problem());
  switch (wanted->check(made.arguments)) {
    case schema_verdict::valid: break;
    case schema_verdict::invalid: return score_result::wrong("not the schema");
    case schema_verdict::unknown:
      return unscored("a check of arguments against their schema would take too long");
  }
  return score_result::right();
}

score_result tool_call_scorer::unscored(const std::string& why) {
  warning_.give(why + "; such answers have no score");
  return score_result::none();
}

}  // namespace scorers
