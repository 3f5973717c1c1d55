#include "metrics/figures.hpp"

#include <algorithm>
#include <utility>

#include "metrics/summaries.hpp"

namespace inferbench::metrics {
namespace {

template <typename kind>
void add_scalars(report& out, const context& run, const ledger& accounts, const totals& sums,
                 const collection<kind>& all) {
  const double s = run.duration_s;
  const bool pooling = all.pooling;
  out.add(metric::duration, s);
  out.add(metric::completed, number(accounts.ok()));
  out.add(metric::failed, number(accounts.sent() - accounts.ok()));
  out.add(metric::total_input_tokens, number(sums.input));
  if (!pooling) out.add(metric::total_output_tokens, number(sums.output));
  if (pooling) out.add(metric::total_input_sequences, number(sums.inputs));
  out.add(metric::request_throughput, rate(number(accounts.ok()), s));
  if (pooling) out.add(metric::input_sequence_throughput, rate(number(sums.inputs), s));
  if (!pooling && !all.goals.empty()) out.add(metric::request_goodput, rate(number(all.good), s));
  if (!pooling) out.add(metric::output_throughput, rate(number(sums.output), s));
  out.add(metric::total_token_throughput, rate(number(sums.input + sums.output), s));
  if (!pooling) {
    out.add(metric::max_output_tokens_per_s, all.events_in_second.most());
    out.add(metric::max_concurrent_requests, number(all.served.most()));
    out.add(metric::rtfx, rate(sums.audio_s.value(), s));
  }
  if (run.cached_tokens) out.add(metric::total_cached_tokens, number(sums.cached));
}

/// In the order of the table, whatever order they came in.
void add_beside(report& out, const context& run) {
  auto sorted = run.beside;
  std::ranges::sort(sorted, {}, &std::pair<metric, double>::first);
  for (const auto& [id, value] : sorted)
    out.add(id, value);
}

template <typename kind>
void add_summaries(report& out, const context& run, collection<kind>& all) {
  for (const summary& s : summaries_of(run)) {
    const auto add = [&](auto& values) {
      out.add(s.id, values.describe(s.percentiles), s.percentiles, s.selected);
      // The same values come once more, as e2el_from_due.
      if (s.id != metric::e2el_including_client_queue) values.release();
    };
    if (s.id == metric::itl)
      add(all.itl);
    else
      add(all.of(s.id));
  }
}

template <typename kind>
void add_ours(report& out, const totals& sums, const std::optional<peak>& most,
              const collection<kind>& all) {
  if (most) out.add(metric::peak_concurrency, number(most->count));
  if (all.pooling) return;
  out.add(metric::events_per_token,
          sums.output == 0 ? 0.0 : number(all.events) / number(sums.output));
  out.add(metric::peak_output_tokens_per_s, all.tokens_in_second.most());
}

}  // namespace

void totals::merge(const totals& other) {
  input += other.input;
  output += other.output;
  inputs += other.inputs;
  cached += other.cached;
  reasoning += other.reasoning;
  said_cached += other.said_cached;
  said_reasoning += other.said_reasoning;
  events += other.events;
  for (std::size_t i = 0; i < text_events.size(); ++i)
    text_events[i] += other.text_events[i];
  audio_s.add(other.audio_s.value());
}

template <typename kind>
void add_figures(report& out, const context& run, const ledger& accounts, const totals& sums,
                 const std::optional<peak>& most, collection<kind>& all) {
  add_scalars(out, run, accounts, sums, all);
  add_beside(out, run);
  add_summaries(out, run, all);
  add_ours(out, sums, most, all);
}

template void add_figures(report&, const context&, const ledger&, const totals&,
                          const std::optional<peak>&, collection<exact_figures>&);
template void add_figures(report&, const context&, const ledger&, const totals&,
                          const std::optional<peak>&, collection<bounded_figures>&);

}  // namespace inferbench::metrics
