#include "goals.hpp"

#include <cmath>

#include "layout.hpp"
#include "reporters/common/facts.hpp"

namespace reporters {
namespace {

/// Returns 183.2 and "ms" as "183.20 ms", and a count as "6".
std::string amount(double value, std::string_view unit) {
  constexpr double exact = 1e15;
  const bool whole = value == std::floor(value) && std::abs(value) < exact;
  std::string out = decimals(value, whole ? 0 : 2);
  if (!unit.empty() && unit != "1") out += " " + one_line(unit);
  return out;
}

std::string sample_size(const goal_result& of) {
  if (!of.count) return {};
  std::string out = " (n " + decimals(*of.count, 0);
  if (of.effective_count) out += ", effective " + decimals(std::floor(*of.effective_count), 0);
  return out + ")";
}

double number_or_zero(const json_value* of) {
  return of != nullptr && of->IsNumber() ? of->GetDouble() : 0;
}

}  // namespace

std::string goal_lines(const json_value& facts, bool certain) {
  std::string out;
  for (const goal_result& each : goals_of(facts)) {
    std::string text = counts_as_passed(each, certain) ? "passed" : "FAILED";
    const bool only_uncertain = each.passed && !counts_as_passed(each, certain);
    if (each.value)
      text += (only_uncertain ? ": " : ", ") + amount(*each.value, each.unit) + ", " +
              std::string(certain_text(each, certain)) + sample_size(each);
    if (!each.reason.empty()) text += ": " + one_line(each.reason);
    out += our_line("Goal " + one_line(each.goal) + ":", text);
  }
  return out;
}

std::string steady_part_line(const json_value& facts) {
  const json_value* of = find(facts, "steady");
  const json_value* found = find(of, "found");
  if (found == nullptr || !found->IsBool()) return {};
  std::string text;
  if (found->GetBool())
    text = decimals(number_or_zero(find(of, "begin_s")), 2) + " s to " +
           decimals(number_or_zero(find(of, "end_s")), 2) + " s, " + shown(find(of, "requests")) +
           " requests, " +
           decimals(number_or_zero(find(find(of, "figures"), "request_throughput")), 2) + " req/s";
  else
    text = "not found: " + one_line(shown(find(of, "reason")));
  return our_line("Steady by MSER-5:", text);
}

}  // namespace reporters
