#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/facts.hpp"

namespace reporters {
namespace {

std::string number_text(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

/// Returns a count that a figure holds; 0 for a value that is no count.
std::uint64_t whole(double value) {
  return value > 0 && value < 1e18 ? static_cast<std::uint64_t>(std::llround(value)) : 0;
}

std::string with_unit(double value, std::string_view unit) {
  std::string out = number_text(value);
  if (!unit.empty() && unit != "1") out.append(unit == "%" ? "" : " ").append(unit);
  return out;
}

std::string of_all(std::uint64_t part, std::uint64_t all) {
  std::string out = std::to_string(part) + " of " + std::to_string(all);
  if (all > 0) {
    char share[32];
    std::snprintf(share, sizeof share, " (%.3g%%)",
                  100.0 * static_cast<double>(part) / static_cast<double>(all));
    out += share;
  }
  return out;
}

junit_case end_of_run(const json_value& facts, bool interrupted) {
  junit_case out{"run", "the run was not stopped early", case_outcome::passed, {}, {}, {}};
  const auto planned = accounted(facts, "planned");
  const auto sent = accounted(facts, "sent");
  std::string numbers;
  if (const auto part = recorded_part_of(facts))
    numbers =
        (part->damaged ? "the journal is damaged: " : "the journal has no end: ") + text_of(*part);
  else if (planned && sent)
    numbers = of_all(*sent, *planned) + " planned requests were sent";
  if (interrupted) {
    out.outcome = case_outcome::error;
    out.type = "interrupted";
    out.message = "the run was stopped before its end" + (numbers.empty() ? "" : ": " + numbers);
  } else {
    out.details = numbers;
  }
  return out;
}

std::string value_text(const goal_result& goal) {
  std::string name(goal.figure);
  if (!goal.statistic.empty() && goal.statistic != "value") name.append(".").append(goal.statistic);
  if (!goal.value) return name + " has no value";
  return name + " is " + with_unit(*goal.value, goal.unit);
}

junit_case goal_case(const goal_result& goal, bool certain) {
  junit_case out{"goals", std::string(goal.goal), case_outcome::passed, {}, {}, {}};
  std::string text = value_text(goal) + ", goal " + std::string(goal.relation) + " " +
                     with_unit(goal.limit, goal.unit);
  std::string counts;
  if (goal.count) counts = "n = " + number_text(*goal.count);
  if (goal.effective_count)
    counts += (counts.empty() ? "" : ", ") + std::string("effective n = ") +
              number_text(std::floor(*goal.effective_count));
  if (!counts.empty()) text += " (" + counts + ")";
  text.append("; ").append(certain_text(goal, certain));
  if (!goal.reason.empty()) text += ": " + clean_line(goal.reason, longest_error);
  if (counts_as_passed(goal, certain)) {
    out.details = text;
  } else {
    out.outcome = case_outcome::failed;
    out.type = goal.passed ? "not certain" : "goal";
    out.message = text;
  }
  return out;
}

bool is_about_failures(const goal_result& goal) { return goal.figure == "failed"; }

void add_requests(std::vector<junit_case>& out, const figures& found, const json_value& facts,
                  bool judged_by_goal) {
  const std::uint64_t failed = whole(found.value("failed"));
  const std::uint64_t completed = whole(found.value("completed"));
  const std::string numbers = of_all(failed, failed + completed) + " requests failed";
  junit_case all{"requests", "every request succeeded", case_outcome::passed, {}, {}, numbers};
  if (failed > 0 && !judged_by_goal)
    all = {"requests", all.name, case_outcome::failed, "failed requests", numbers, {}};
  if (failed + completed == 0)
    all = {"requests", all.name, case_outcome::failed, "no requests", "no request was sent", {}};
  out.push_back(std::move(all));
  for (const failure_kind& kind : failures_of(facts)) {
    std::string name = "no failure of class " + std::string(kind.name);
    if (kind.http_status != 0) name += ", HTTP status " + std::to_string(kind.http_status);
    const std::string first = clean_line(kind.first, longest_error);
    // Several kinds may have the same class and status, but a case needs a name of its own.
    if (std::ranges::any_of(out, [&](const junit_case& each) { return each.name == name; }))
      name += ": " + clean_line(kind.first, 120);
    std::string message = std::to_string(kind.count) + " requests";
    if (kind.others_differ) message += ", with different messages";
    message += "; the first: " + first;
    junit_case one{"requests", std::move(name), case_outcome::passed, {}, {}, message};
    if (!judged_by_goal)
      one = {"requests",           std::move(one.name),
             case_outcome::failed, std::string(kind.name),
             std::move(message),   std::string(kind.first)};
    out.push_back(std::move(one));
  }
}

void add_goodput(std::vector<junit_case>& out, const figures& found, const json_value& facts) {
  const ifb_metric* goodput = found.find("request_goodput");
  if (goodput == nullptr) return;
  const std::uint64_t completed = whole(found.value("completed"));
  const std::uint64_t met = whole(goodput->value * found.value("duration"));
  std::string limits;
  if (const json_value* all = find(facts, "goodput_limits_ms"); all != nullptr && all->IsObject())
    for (const auto& [name, limit] : all->GetObject())
      if (limit.IsNumber())
        limits += (limits.empty() ? "" : ", ") + std::string(text_of(&name)) +
                  " <= " + with_unit(limit.GetDouble(), "ms");
  const std::string text = of_all(met, completed) + " successful requests met " +
                           (limits.empty() ? "every limit" : "every limit (" + limits + ")") +
                           ": " + with_unit(goodput->value, "req/s");
  if (met > 0)
    out.push_back({"goodput", "some requests met every limit", case_outcome::passed, {}, {}, text});
  else
    out.push_back(
        {"goodput", "some requests met every limit", case_outcome::failed, "goodput", text, {}});
}

junit_case client_case(const json_value& facts) {
  junit_case out{"client", "the client kept up", case_outcome::passed, {}, {}, {}};
  const std::string verdict(client_verdict(facts));
  if (verdict.empty()) {
    out.outcome = case_outcome::skipped;
    out.message = "the run has no verdict on the client";
    return out;
  }
  out.details = verdict;
  std::string reasons;
  for (const std::string_view each : client_reasons(facts))
    reasons += clean_line(each, longest_error) + "\n";
  if (verdict == "VALID") return out;
  out.outcome = case_outcome::failed;
  out.type = verdict;
  out.message = "the client is " + verdict;
  if (!reasons.empty()) out.message += ": " + reasons.substr(0, reasons.find('\n'));
  out.details = reasons;
  return out;
}

}  // namespace

std::vector<junit_case> cases_of(const figures& found, const json_value& facts, bool interrupted,
                                 bool certain) {
  std::vector<junit_case> out;
  const std::vector<goal_result> goals = goals_of(facts);
  out.push_back(end_of_run(facts, interrupted));
  for (const goal_result& each : goals)
    out.push_back(goal_case(each, certain));
  add_goodput(out, found, facts);
  add_requests(out, found, facts, std::ranges::any_of(goals, is_about_failures));
  out.push_back(client_case(facts));
  return out;
}

}  // namespace reporters
