#include "facts.hpp"

#include <algorithm>
#include <cmath>

namespace reporters {
namespace {

std::optional<double> number_of(const json_value* value) {
  if (value == nullptr || !value->IsNumber()) return std::nullopt;
  return value->GetDouble();
}

std::uint64_t whole_of(const json_value* value) {
  return value != nullptr && value->IsUint64() ? value->GetUint64() : 0;
}

bool is_true(const json_value* value) { return value != nullptr && value->IsTrue(); }

/// Calls visit(element) for each element of an array; does nothing for any other value.
template <typename visitor>
void for_each_element(const json_value* array, visitor&& visit) {
  if (array == nullptr || !array->IsArray()) return;
  for (const json_value& each : array->GetArray())
    visit(each);
}

const json_value* certain_figure(const json_value& facts, std::string_view figure) {
  return find(find(find(facts, "certainty"), "figures"), figure);
}

}  // namespace

std::string_view certain_text(const goal_result& goal, bool certain) noexcept {
  if (goal.certain) return "certain";
  return goal.passed && certain ? "not certain, and --threshold-certain is given" : "not certain";
}

std::vector<goal_result> goals_of(const json_value& facts) {
  std::vector<goal_result> out;
  for_each_element(find(facts, "thresholds"), [&](const json_value& each) {
    if (!each.IsObject()) return;
    goal_result goal;
    goal.goal = text_of(find(each, "goal"));
    goal.figure = text_of(find(each, "figure"));
    goal.statistic = text_of(find(each, "statistic"));
    goal.relation = text_of(find(each, "relation"));
    goal.unit = text_of(find(each, "unit"));
    goal.reason = text_of(find(each, "reason"));
    goal.limit = number_of(find(each, "limit")).value_or(0);
    goal.value = number_of(find(each, "value"));
    goal.passed = is_true(find(each, "passed"));
    goal.certain = is_true(find(each, "certain"));
    goal.count = number_of(find(each, "count"));
    goal.effective_count = number_of(find(each, "effective_count"));
    out.push_back(goal);
  });
  return out;
}

certainty_of_percentile certainty_of(const json_value& facts, std::string_view figure,
                                     double percentile) {
  certainty_of_percentile out;
  for_each_element(find(certain_figure(facts, figure), "percentiles"), [&](const json_value& each) {
    const auto p = number_of(find(each, "percentile"));
    if (!p || std::abs(*p - percentile) >= 1e-9) return;
    out = {true, number_of(find(each, "bound"))};
  });
  return out;
}

std::optional<double> effective_count(const json_value& facts, std::string_view figure) {
  return number_of(find(certain_figure(facts, figure), "effective_count"));
}

double confidence_of(const json_value& facts) {
  return number_of(find(find(facts, "certainty"), "confidence")).value_or(0);
}

std::string_view client_verdict(const json_value& facts) {
  return text_of(find(find(facts, "client"), "verdict"));
}

std::vector<std::string_view> client_reasons(const json_value& facts) {
  std::vector<std::string_view> out;
  for_each_element(find(find(facts, "client"), "reasons"),
                   [&](const json_value& each) { out.push_back(text_of(&each)); });
  return out;
}

std::vector<failure_kind> failures_of(const json_value& facts) {
  std::vector<failure_kind> out;
  for_each_element(find(facts, "errors"), [&](const json_value& each) {
    out.push_back({text_of(find(each, "class")), whole_of(find(each, "http_status")),
                   whole_of(find(each, "count")), text_of(find(each, "first")),
                   is_true(find(each, "others_differ"))});
  });
  return out;
}

std::optional<std::uint64_t> accounted(const json_value& facts, std::string_view name) {
  const json_value* value = find(find(facts, "accounting"), name);
  if (value == nullptr || !value->IsUint64()) return std::nullopt;
  return value->GetUint64();
}

std::optional<recorded_part> recorded_part_of(const json_value& facts) {
  const bool damaged = find(facts, "journal_damage") != nullptr;
  const auto unknown = accounted(facts, "not_recorded");
  if (!damaged && !unknown) return std::nullopt;
  recorded_part out;
  out.damaged = damaged;
  out.planned = accounted(facts, "planned").value_or(0);
  out.known = out.planned - std::min(unknown.value_or(0), out.planned);
  return out;
}

std::string text_of(const recorded_part& of) {
  std::string out = "of " + std::to_string(of.planned) + " planned requests " +
                    std::to_string(of.known) + " are known";
  const std::uint64_t others = of.planned - of.known;
  if (others == 1) out += "; it is not recorded whether the other request was sent";
  if (others > 1)
    out += "; it is not recorded whether the other " + std::to_string(others) + " were sent";
  return out;
}

}  // namespace reporters
