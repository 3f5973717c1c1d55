// The facts of a run, which its result contains beside the figures, as one JSON object.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "metrics/accumulator.hpp"
#include "metrics/goal_result.hpp"
#include "metrics/steady_search.hpp"
#include "metrics/steady_state.hpp"

namespace inferbench::metrics {
namespace {

/// Writes the number of stream events of the successful requests, by the kind of their content.
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

void write_curves(ifb::json_writer& out, const second_curves& curves) {
  const auto list = [&](std::string_view name, const std::vector<std::uint64_t>& values) {
    out.key(name);
    out.begin_array();
    for (const std::uint64_t value : values)
      out.integer(value);
    out.end_array();
  };
  out.key("per_second");
  out.begin_object();
  out.member("step_s", curves.step);
  list("output_events", curves.events);
  list("requests", curves.requests);
  out.end_object();
}

}  // namespace

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
    if (r.ok) served.push_back({r.start, std::max(r.start, r.at(arrival::last))});
  });
  steady_state found(run, served);
  std::vector<span>().swap(served);
  tape::reader gaps(kept_.gaps);
  kept_.rows.for_each([&](const request_times& r) {
    if (!r.ok) return;
    found.add({r.start, std::max(r.start, r.at(arrival::last))}, r.at(arrival::first), r.input,
              r.output);
    std::uint64_t at = r.at(arrival::first);
    for (std::uint32_t i = 0; i < r.events; ++i)
      found.add_event(i == 0 ? at : at += gaps.next());
  });
  write(found.to_json(), found.missing());
}

std::string accumulator::facts_json(const context& run, const std::optional<peak>& most,
                                    const order& rows, const evidence& proved,
                                    std::span<const goal_result> goals,
                                    const second_curves& curves) const {
  ifb::json_writer facts;
  facts.begin_object();
  ledger_.write(facts, run.planned, run.broken_off);
  if (!kind_.pooling) ledger_.write_token_sources(facts);
  if (!kind_.pooling) write_events(facts, totals_);
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
  if (!kind_.pooling && !curves.requests.empty()) write_curves(facts, curves);
  burst_.write(facts);
  if (bounded_) {
    facts.key("summary");
    facts.begin_object();
    facts.member("kind", "bounded");
    facts.member("error", bounded_series::error());
    facts.member("bytes", bytes());
    facts.end_object();
  }
  if (!kind_.pooling && !goodput_.empty()) {
    facts.key("goodput_limits_ms");
    facts.begin_object();
    for (const auto& [name, limit] : goodput_)
      facts.member(name, limit);
    facts.end_object();
  }
  if (!turns_.empty()) {
    facts.key("turns");
    turns_.write(facts, run.percentiles, bounded_ ? nullptr : &kept_);
  }
  if (has_steady_state(run)) write_steady_state(facts, run);
  // A fact of the context replaces a fact with the same name.
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(run.facts, [&](const auto& fact) { return fact.first == name; });
  };
  if (!is_given("certainty")) {
    facts.key("certainty");
    proved.write_certainty(facts);
  }
  if (!goals.empty() && !is_given("thresholds")) {
    facts.key("thresholds");
    metrics::write(facts, goals);
  }
  if (!is_given("steady")) {
    facts.key("steady");
    write_steady(facts, run, figures_, rows, bounded_ == nullptr);
  }
  for (const auto& [name, json] : run.facts) {
    facts.key(name);
    facts.raw(json);
  }
  facts.end_object();
  return facts.take();
}

}  // namespace inferbench::metrics
