#include "metrics/accumulator.hpp"

#include <algorithm>

namespace inferbench::metrics {

accumulator::accumulator(const context& run, definitions figures)
    : figures_(figures),
      kind_{run.pooling, run.paced()},
      goodput_(run.goodput),
      turns_(run.bounded),
      burst_(run) {
  if (run.live) running_.emplace(run, figures);
  if (run.bounded) bounded_ = std::make_unique<histograms>(figures, run.started_ns, goodput_);
}

accumulator::~accumulator() = default;

void accumulator::add(const client::record& record, token_source source) {
  ledger_.add(record, source);
  if (never_sent(record)) return;
  const request_times f = times_of(record, kind_);
  if (f.turn > 0) turns_.add(record, f);
  burst_.add(record);
  if (running_) running_->add(f);
  if (bounded_) {
    bounded_->bounds.add(record, f, bounded_->values);
    bounded_->values.add(f);
    if (f.events > 0)
      bounded_->values.add_events(f, [&](auto&& visit) { record.tokens.for_each(visit); });
  } else {
    kept_.add(record, f);
  }
  if (!f.ok) return;
  first_start_ = std::min(first_start_, f.start);
  totals_.add(record);
  if (!f.has(arrival::first)) return;
  const std::uint64_t first = f.at(arrival::first);
  ttft_sum_ns_ += first - std::min(first, f.start);
  ++ttft_count_;
}

report accumulator::snapshot(double elapsed_s) const {
  report out;
  const outcome now{elapsed_s, ledger_, totals_};
  const auto add = [&](metric id) { out.add(id, std::get<of_run>(define(id).how)(now)); };
  add(metric::duration);
  add(metric::completed);
  add(metric::failed);
  add(metric::request_throughput);
  if (!kind_.pooling) add(metric::output_throughput);
  if (running_) running_->add_to(out);
  if (kind_.pooling || running_) return out;
  out.add_mean(metric::ttft,
               ttft_count_ == 0 ? 0.0 : number(ttft_sum_ns_) / 1e6 / number(ttft_count_),
               ttft_count_);
  return out;
}

template <typename kind>
report accumulator::describe(const context& run, const std::optional<peak>& most, const order& rows,
                             collection<kind>& all) const {
  report out;
  evidence proved(run, figures_, rows, bounded_ ? nullptr : &kept_);
  const outcome found{run.duration_s,
                      ledger_,
                      totals_,
                      all.good,
                      all.events_in_second.most(),
                      all.tokens_in_second.most(),
                      all.served.most(),
                      most};
  for (const definition& row : figures_) {
    if (const auto* of = std::get_if<of_run>(&row.how)) {
      if (row.in(run) == standing::absent) continue;
      out.add(row, (*of)(found));
      proved.add(row, out.metrics().back().value, ledger_.sent());
      continue;
    }
    if (std::holds_alternative<of_context>(row.how)) {
      for (const auto& [id, value] : run.beside) {
        if (id != row.id) continue;
        out.add(row, value);
        proved.add(row, value, ledger_.sent());
      }
      continue;
    }
    const auto summary = summary_of(row, run);
    if (!summary) continue;
    const computed_percentiles computed = proved.percentiles_for(row, summary->percentiles);
    const auto add = [&](auto& values) {
      statistics all_statistics = values.describe(computed.all);
      out.add(row, all_statistics, summary->percentiles, summary->selected);
      return all_statistics;
    };
    if (const auto* of = std::get_if<of_request>(&row.how)) {
      auto& set = all.sets[all.place_of(*of)];
      const statistics values = add(set.values);
      if (set.last == &row) set.values.release();
      proved.add(row, *of, values, computed);
    } else {
      proved.add(row, add(all.gaps), computed, all.gaps.counts());
    }
  }
  const std::vector<goal_result> goals = proved.results();
  out.set_facts(
      facts_json(run, most, rows, proved, goals, curves_of(all.events_in_second, all.served)));
  out.set_goals(goals);
  return out;
}

report accumulator::finish(const context& run) {
  if (bounded_) return describe(run, std::nullopt, {}, bounded_->values);
  order rows = in_schedule();
  std::vector<span> spans;
  spans.reserve(rows.size());
  for (const request_times* r : rows)
    spans.push_back({r->start, r->end});
  const peak most = most_at_once(spans);
  std::vector<span>().swap(spans);
  collection<exact_figures> all = collect(rows);
  if (!std::ranges::is_sorted(rows, {}, &request_times::start))
    std::ranges::stable_sort(rows, {}, &request_times::start);
  return describe(run, most, rows, all);
}

std::vector<error_bound> accumulator::bounds(const context& run) const {
  return bounded_ ? bounded_->bounds.bounds(run, figures_, bounded_->values)
                  : exact_bounds(run, figures_, kept_);
}

accumulator::order accumulator::in_schedule() const {
  std::uint64_t last = 0;
  kept_.rows.for_each([&](const request_times& r) { last = std::max(last, r.sequence); });
  order out;
  if (last < 2 * kept_.rows.size()) {
    // Nearly every place of the schedule has its request, so the place is used as an index. Nothing
    // has to be sorted.
    out.resize(last + 1);
    kept_.rows.for_each([&](const request_times& r) { out[r.sequence] = &r; });
    std::erase(out, nullptr);
  }
  if (out.size() == kept_.rows.size()) return out;
  // Two requests have the same place, or places are far apart. Only a damaged journal has this.
  out.clear();
  kept_.rows.for_each([&](const request_times& r) { out.push_back(&r); });
  std::ranges::sort(out, {}, &request_times::sequence);
  return out;
}

collection<exact_figures> accumulator::collect(const order& rows) const {
  collection<exact_figures> all(figures_, first_start_, goodput_);
  all.gaps = exact_gaps(kept_.gaps);
  all.reserve(rows.size());
  for (const request_times* r : rows)
    all.add(*r);
  tape::reader gaps(kept_.gaps);
  kept_.rows.for_each([&](const request_times& r) {
    if (r.events == 0) return;
    all.add_events(r, [&](auto&& visit) {
      std::uint64_t at = r.at(arrival::first);
      visit(at);
      for (std::uint32_t i = 1; i < r.events; ++i)
        visit(at += gaps.next());
    });
  });
  return all;
}

std::size_t accumulator::bytes() const noexcept {
  const std::size_t fixed = sizeof *this + (running_ ? running_->bytes() : 0);
  if (!bounded_) return fixed + kept_.bytes();
  return fixed + bounded_->values.bytes() + bounded_->bounds.bytes() + turns_.bytes();
}

}  // namespace inferbench::metrics
