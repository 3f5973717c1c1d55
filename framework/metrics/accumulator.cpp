#include "metrics/accumulator.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "metrics/steady_state.hpp"

namespace inferbench::metrics {
namespace {

/// What a codec reports beside the contract's members, by upstream's names.
std::string_view attribute(const client::record& record, std::string_view name) {
  for (const auto& [key, value] : record.attributes)
    if (key == name) return value;
  return {};
}

std::uint64_t count(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

void add(totals& to, const client::record& record) {
  to.input += count(record.prompt_tokens);
  to.output += count(record.output_tokens);
  to.cached += count(record.cached_tokens);
  to.reasoning += count(record.reasoning_tokens);
  to.said_cached += record.cached_tokens >= 0 ? 1U : 0U;
  to.said_reasoning += record.reasoning_tokens >= 0 ? 1U : 0U;
  to.events += record.tokens.size();
  for (std::size_t i = 0; i < to.text_events.size(); ++i)
    to.text_events[i] += record.text_events[i];
  if (record.attributes.empty()) {
    ++to.inputs;
    return;
  }
  to.inputs += count(base::parse_int(attribute(record, "num_input_sequences")).value_or(1));
  const double audio_s = base::parse_float(attribute(record, "input_audio_duration")).value_or(0);
  if (std::isfinite(audio_s)) to.audio_s.add(audio_s);
}

/// Stream events of the successes by what they carried.
void write_events(ifb::json_writer& out, const totals& of) {
  constexpr std::array channels{"answer", "reasoning", "tool_call", "other"};
  static_assert(channels.size() == std::tuple_size_v<decltype(totals::text_events)>);
  out.key("stream_events");
  out.begin_object();
  out.member("all", of.events);
  std::uint64_t with_text = 0;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    out.member(channels[i], of.text_events[i]);
    with_text += of.text_events[i];
  }
  out.member("without_text", of.events - std::min(of.events, with_text));
  out.end_object();
}

}  // namespace

accumulator::accumulator(const context& run)
    : pooling_(run.pooling), goodput_(run.goodput), burst_(run) {
  if (run.bounded) bounded_ = std::make_unique<histograms>(run, goodput_);
}

accumulator::~accumulator() = default;

void accumulator::add(const client::record& record, token_source source) {
  ledger_.add(record, source);
  if (never_sent(record)) return;
  const request_times f = times_of(record, pooling_);
  if (!record.session.empty()) turns_.add(record, f);
  burst_.add(record);
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
  metrics::add(totals_, record);
  ttft_sum_ns_ += f.first - std::min(f.first, f.start);
  ++ttft_count_;
}

void accumulator::merge(const accumulator& other) {
  assert(bounded_ && other.bounded_ && pooling_ == other.pooling_);
  ledger_.merge(other.ledger_);
  totals_.merge(other.totals_);
  turns_.merge(other.turns_);
  ttft_sum_ns_ += other.ttft_sum_ns_;
  ttft_count_ += other.ttft_count_;
  burst_.merge(other.burst_);
  bounded_->bounds.merge(other.bounded_->bounds, bounded_->values, other.bounded_->values);
  bounded_->values.merge(other.bounded_->values);
}

report accumulator::snapshot(double elapsed_s) const {
  report out;
  out.add(metric::duration, elapsed_s);
  out.add(metric::completed, number(ledger_.ok()));
  out.add(metric::failed, number(ledger_.sent() - ledger_.ok()));
  out.add(metric::request_throughput, rate(number(ledger_.ok()), elapsed_s));
  if (pooling_) return out;
  out.add(metric::output_throughput, rate(number(totals_.output), elapsed_s));
  out.add_mean(metric::ttft,
               ttft_count_ == 0 ? 0.0 : number(ttft_sum_ns_) / 1e6 / number(ttft_count_),
               ttft_count_);
  return out;
}

report accumulator::finish(const context& run) {
  report out;
  if (bounded_) {
    add_figures(out, run, ledger_, totals_, std::nullopt, bounded_->values);
    out.set_facts(facts_json(run, std::nullopt));
    return out;
  }
  const order rows = in_schedule();
  std::vector<span> spans;
  spans.reserve(rows.size());
  for (const request_times* r : rows)
    spans.push_back({r->start, r->end});
  const peak most = most_at_once(spans);
  std::vector<span>().swap(spans);
  collection<exact_figures> all = collect(rows);
  add_figures(out, run, ledger_, totals_, most, all);
  out.set_facts(facts_json(run, most));
  return out;
}

std::vector<error_bound> accumulator::bounds(const context& run) const {
  return bounded_ ? bounded_->bounds.bounds(run, bounded_->values) : exact_bounds(run, kept_);
}

accumulator::order accumulator::in_schedule() const {
  std::uint64_t last = 0;
  kept_.rows.for_each([&](const request_times& r) { last = std::max(last, r.sequence); });
  order out;
  if (last < 2 * kept_.rows.size()) {
    // Nearly every place of the schedule has its request: each is put where it belongs.
    out.resize(last + 1);
    kept_.rows.for_each([&](const request_times& r) { out[r.sequence] = &r; });
    std::erase(out, nullptr);
  }
  if (out.size() == kept_.rows.size()) return out;
  // Of a damaged journal, in which places are far apart or taken twice.
  out.clear();
  kept_.rows.for_each([&](const request_times& r) { out.push_back(&r); });
  std::ranges::sort(out, {}, &request_times::sequence);
  return out;
}

collection<exact_figures> accumulator::collect(const order& rows) const {
  collection<exact_figures> all(pooling_, first_start_, goodput_);
  all.itl = exact_gaps(kept_.gaps);
  all.reserve(rows.size());
  for (const request_times* r : rows)
    all.add(*r);
  tape::reader gaps(kept_.gaps);
  kept_.rows.for_each([&](const request_times& r) {
    if (r.events == 0) return;
    all.add_events(r, [&](auto&& visit) {
      std::uint64_t at = r.first;
      visit(at);
      for (std::uint32_t i = 1; i < r.events; ++i)
        visit(at += gaps.next());
    });
  });
  return all;
}

std::size_t accumulator::bytes() const noexcept {
  if (!bounded_) return sizeof *this + kept_.bytes();
  return sizeof *this + bounded_->values.bytes() + bounded_->bounds.bytes();
}

void accumulator::write_steady_state(ifb::json_writer& out, const context& run) const {
  const auto write = [&](std::string_view json, std::string_view missing) {
    out.key("steady_state");
    out.raw(json);
    if (!missing.empty()) out.member("steady_state_missing", missing);
  };
  if (bounded_)
    return write("null", "it needs the start and end of every request; use --summary exact");
  std::vector<span> served;
  kept_.rows.for_each([&](const request_times& r) {
    if (r.ok) served.push_back({r.start, std::max(r.start, pooling_ ? r.end : r.last)});
  });
  steady_state found(run, served);
  std::vector<span>().swap(served);
  tape::reader gaps(kept_.gaps);
  kept_.rows.for_each([&](const request_times& r) {
    if (!r.ok) return;
    found.add({r.start, std::max(r.start, pooling_ ? r.end : r.last)}, r.first, r.input, r.output);
    std::uint64_t at = r.first;
    for (std::uint32_t i = 0; i < r.events; ++i)
      found.add_event(i == 0 ? at : at += gaps.next());
  });
  write(found.to_json(), found.missing());
}

std::string accumulator::facts_json(const context& run, const std::optional<peak>& most) const {
  ifb::json_writer facts;
  facts.begin_object();
  ledger_.write(facts, run.planned, run.broken_off);
  if (!pooling_) ledger_.write_token_sources(facts);
  if (!pooling_) write_events(facts, totals_);
  if (totals_.said_reasoning > 0) {
    facts.key("reasoning");
    facts.begin_object();
    facts.member("tokens", totals_.reasoning);
    facts.member("requests", totals_.said_reasoning);
    facts.end_object();
  }
  if (run.cached_tokens) facts.member("cached_tokens_said_by", totals_.said_cached);
  if (most) {
    std::uint64_t first = UINT64_MAX;
    kept_.rows.for_each([&](const request_times& r) { first = std::min(first, r.start); });
    facts.key("peak_concurrency");
    facts.begin_object();
    facts.member("requests", most->count);
    facts.member("after_s", most->count == 0 ? 0.0 : ms(first, most->at) / 1e3);
    facts.end_object();
  }
  burst_.write(facts);
  if (bounded_) {
    facts.key("summary");
    facts.begin_object();
    facts.member("kind", "bounded");
    facts.member("error", bounded_series::error());
    facts.member("bytes", bytes());
    facts.end_object();
  }
  if (!pooling_ && !goodput_.empty()) {
    facts.key("goodput_limits_ms");
    facts.begin_object();
    for (const auto& [name, limit] : goodput_)
      facts.member(name, limit);
    facts.end_object();
  }
  if (!turns_.empty()) {
    facts.key("turns");
    turns_.write(facts);
  }
  if (has_steady_state(run)) write_steady_state(facts, run);
  for (const auto& [name, json] : run.facts) {
    facts.key(name);
    facts.raw(json);
  }
  facts.end_object();
  return facts.take();
}

}  // namespace inferbench::metrics
