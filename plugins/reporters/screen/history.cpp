#include "history.hpp"

#include <algorithm>
#include <cmath>

namespace reporters {

void history::add(double at_s, std::uint64_t finished, double tokens, std::uint64_t in_flight) {
  if (!std::isfinite(at_s) || (!states_.empty() && at_s <= states_.back().at_s)) return;
  states_.push_back({at_s, static_cast<double>(finished), tokens, static_cast<double>(in_flight)});
  while (states_.size() > 2 && states_[1].at_s < at_s - kept_s)
    states_.pop_front();
}

const history::state& history::before(double at_s) const {
  const auto after = std::ranges::upper_bound(states_, at_s, {}, &state::at_s);
  return after == states_.begin() ? *after : *std::prev(after);
}

double history::rate(double state::* of, double span_s) const {
  if (states_.size() < 2) return 0;
  const state& last = states_.back();
  const state& first = before(last.at_s - span_s);
  return last.at_s > first.at_s ? std::max(last.*of - first.*of, 0.0) / (last.at_s - first.at_s)
                                : 0;
}

double history::request_rate(double span_s) const { return rate(&state::finished, span_s); }
double history::token_rate(double span_s) const { return rate(&state::tokens, span_s); }

std::vector<double> history::rates(std::size_t most) const {
  std::vector<double> out;
  if (states_.empty()) return out;
  for (double to = states_.back().at_s; out.size() < most && to - 1 >= states_.front().at_s; --to) {
    const state& last = before(to);
    const state& first = before(to - 1);
    out.push_back(last.at_s > first.at_s
                      ? std::max(last.finished - first.finished, 0.0) / (last.at_s - first.at_s)
                      : 0);
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<double> history::in_flight(std::size_t most) const {
  std::vector<double> out;
  if (states_.empty()) return out;
  for (double to = states_.back().at_s; out.size() < most && to >= states_.front().at_s; --to)
    out.push_back(before(to).in_flight);
  std::ranges::reverse(out);
  return out;
}

}  // namespace reporters
