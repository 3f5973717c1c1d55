#include "find/probe_judge.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <inferbench/json_reader.hpp>

#include "find/search_json.hpp"
#include "metrics/ledger.hpp"

namespace inferbench::find {

namespace {

/// The member of the fact "prefix_cache" that says how much came from the cache.
std::optional<double> hit_rate_of(const metrics::context& run) {
  const auto fact =
      std::ranges::find(run.facts, "prefix_cache", &std::pair<std::string, std::string>::first);
  if (fact == run.facts.end()) return std::nullopt;
  const ifb::json_document found = ifb::read_json(fact->second);
  for (const char* name : {"observed_share", "hit_rate"})
    if (const ifb::json_value* value = ifb::find(found, name);
        value != nullptr && value->IsNumber())
      return value->GetDouble();
  return std::nullopt;
}

}  // namespace

std::vector<limit::part> parts_of(const goal_samples& goals) {
  std::vector<limit::part> out;
  for (const sampled_goal& goal : goals.goals()) {
    limit::part one;
    one.goal = goal.text;
    one.kind = goal.by == sampling::share  ? limit::part_kind::share
               : goal.by == sampling::mean ? limit::part_kind::mean
                                           : limit::part_kind::rate;
    if (goal.by == sampling::share) one.allowed = goal.allowed;
    one.passes = goal.upper ? limit::side::below : limit::side::above;
    one.limit = goal.limit;
    if (goal.of.of != metrics::goal::statistic::percentile) one.unit = std::string(goal.of.unit());
    out.push_back(std::move(one));
  }
  return out;
}

void apply(const probe_doubts& doubts, limit::probe_evidence& evidence) {
  const bool failed = evidence.outcome == limit::verdict::failed;
  const bool passed = evidence.outcome == limit::verdict::passed;
  // A client that does not keep up makes latencies longer, so its failures say nothing about the
  // server. It also sends at a lower rate than that of the probe.
  const bool client = doubts.client_invalid && (failed || (passed && doubts.sets_rate));
  const bool server = doubts.server_gone && failed;
  if (!client && !server) return;
  evidence.outcome = limit::verdict::undecided;
  evidence.why = server ? limit::ending::server : limit::ending::client;
}

probe_judge::probe_judge(const goal_samples& goals, const limit::judge_settings& settings,
                         std::uint64_t max_time_ns)
    : goals_(goals), max_time_ns_(max_time_ns), judge_(parts_of(goals), settings) {}

void probe_judge::take(const client::record& record) {
  ended_request one;
  one.sent = !metrics::never_sent(record);
  one.cancelled = record.status == IFB_E_CANCELLED;
  one.start_ns = record.start_ns;
  one.end_ns = record.end_ns;
  if (one.sent) {
    auto samples = one.cancelled ? goals_.of_cancelled(record) : std::optional(goals_.of(record));
    one.known = samples.has_value();
    if (samples) one.samples = std::move(*samples);
  }
  const std::scoped_lock lock(mutex_);
  if (one.sent) ++sent_;
  if (one.sent && !one.cancelled && !record.ok() && failed_++ == 0) first_error_ = record.error;
  waiting_.emplace(record.sequence, std::move(one));
  judge_prefix();
}

// A request that was cancelled is judged in end() only: its cancellation is the end of the traffic.
void probe_judge::judge_prefix() {
  while (!judge_.ended()) {
    const auto first = waiting_.find(next_);
    if (first == waiting_.end() || !first->second.sent || first->second.cancelled) return;
    (void)judge_one(first->second);
    waiting_.erase(first);
    ++next_;
  }
  enough_ = true;
}

bool probe_judge::judge_one(const ended_request& one) {
  if (!one.known) return false;
  std::vector<limit::observation> request;
  for (std::size_t i = 0; i < one.samples.size(); ++i) {
    const goal_sample& from = one.samples[i];
    const bool share = goals_.goals()[i].by == sampling::share;
    limit::observation to;
    // A request without a value of a percentile's figure is no element of its sample.
    to.has_side = !share || from.has_value;
    to.over = from.over;
    if (!share && from.has_value) to.value = from.value;
    to.start_s = static_cast<double>(one.start_ns) / 1e9;
    to.end_s = static_cast<double>(one.end_ns) / 1e9;
    request.push_back(to);
  }
  return judge_.add(request);
}

bool probe_judge::has_enough(std::uint64_t elapsed_ns) {
  if (elapsed_ns >= max_time_ns_) time_is_over_ = true;
  return enough_ || time_is_over_;
}

void probe_judge::end(bool stopped, metrics::context& into) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [position, one] : waiting_) {
    if (judge_.ended()) break;
    if (one.sent && !judge_one(one)) break;
  }
  waiting_.clear();
  if (!judge_.ended())
    judge_.end(stopped         ? limit::ending::stopped
               : time_is_over_ ? limit::ending::time
                               : limit::ending::data);
  evidence_ = judge_.evidence();
  hit_rate_ = hit_rate_of(into);
  duration_s_ = into.duration_s;
  into.set_fact("probe", probe_json(evidence_));
}

}  // namespace inferbench::find
