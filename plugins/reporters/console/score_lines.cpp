#include "score_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "reporters/common/facts.hpp"
#include "text.hpp"

namespace reporters {
namespace {

constexpr std::size_t most_reasons = 5;

std::uint64_t count_of(const json_value* of) {
  return of != nullptr && of->IsUint64() ? of->GetUint64() : 0;
}

/// "98.00 (95.02 to 99.41 with a confidence of 99 %)"
std::string rate(const json_value& of) {
  const json_value* mean = find(of, "mean");
  if (mean == nullptr || !mean->IsNumber()) return "none: no answer has a score";
  const auto percent = [&](const char* name, int places) {
    const json_value* share = find(of, name);
    return share != nullptr && share->IsNumber() ? decimals(100 * share->GetDouble(), places)
                                                 : std::string("-");
  };
  return percent("mean", 2) + " (" + percent("low", 2) + " to " + percent("high", 2) +
         " with a confidence of " + percent("confidence", 0) + " %)";
}

std::string reasons(const json_value* of) {
  if (of == nullptr || !of->IsObject()) return {};
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& [reason, count] : of->GetObject())
    all.emplace_back(count_of(&count), one_line(std::string(ifb::text_of(&reason))));
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), most_reasons); ++i)
    out +=
        our_line(i == 0 ? "Not right:" : "", std::to_string(all[i].first) + " x " + all[i].second);
  if (all.size() > most_reasons)
    out += our_line("", "and " + std::to_string(all.size() - most_reasons) + " other reasons");
  return out;
}

}  // namespace

std::string score_lines(const json_value& facts) {
  const json_value* scores = find(facts, "scores");
  if (scores == nullptr || !scores->IsObject()) return {};
  std::string out;
  for (const auto& [scorer, of] : scores->GetObject()) {
    if (!of.IsObject()) continue;
    out += our_line("Scored / without score:",
                    std::to_string(count_of(find(of, "scored"))) + " / " +
                        std::to_string(count_of(find(of, "unscored"))) + " by " +
                        one_line(std::string(ifb::text_of(&scorer))));
    out += our_line("Correct rate (%):", rate(of)) + reasons(find(of, "reasons"));
  }
  return out;
}

}  // namespace reporters
