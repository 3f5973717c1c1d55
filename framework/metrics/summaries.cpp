#include "metrics/summaries.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace inferbench::metrics {
namespace {

/// The percentiles asked for, and others that our part of the console report prints.
std::vector<double> with(std::vector<double> percentiles, std::initializer_list<double> more) {
  for (const double p : more)
    if (std::ranges::find(percentiles, p) == percentiles.end()) percentiles.push_back(p);
  return percentiles;
}

}  // namespace

std::vector<summary> summaries_of(const context& run) {
  std::vector<summary> out;
  const auto upstreams = [&](metric id, bool may_be_selected = true) {
    const std::string_view name = define(id).name;
    if (may_be_selected && std::ranges::find(run.selected, name) != run.selected.end())
      out.push_back({id, true, run.percentiles, printed::all});
    else
      out.push_back({id, false, with(run.percentiles, {99.0}), printed::median_and_p99});
  };
  const auto ours = [&](metric id, printed shown = printed::median_and_p99) {
    out.push_back({id, false, with(run.percentiles, {50.0, 90.0, 99.0}), shown});
  };
  const bool stream = !run.pooling;
  if (stream) {
    upstreams(metric::ttft, run.tokenizer);
    upstreams(metric::tpot, run.tokenizer);
    upstreams(metric::itl, run.tokenizer);
  }
  upstreams(metric::e2el);
  if (run.max_concurrency) {
    upstreams(metric::client_queue_time);
    if (std::isfinite(run.request_rate)) upstreams(metric::e2el_including_client_queue);
  }
  if (stream) ours(metric::ttft_from_due);
  ours(metric::e2el_from_due);
  if (stream) {
    ours(metric::ttft_text);
    ours(metric::ttft_answer, printed::nothing);
  }
  ours(metric::send_lag);
  return out;
}

}  // namespace inferbench::metrics
