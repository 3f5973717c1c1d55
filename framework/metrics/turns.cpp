#include "metrics/turns.hpp"

#include <algorithm>
#include <array>

#include <inferbench/json_writer.hpp>

namespace inferbench::metrics {

namespace {

constexpr std::array percentiles{90.0, 99.0};

void write_times(ifb::json_writer& out, const char* name, const bounded_series& of) {
  const statistics found = of.describe(percentiles);
  if (found.count == 0) return;
  out.key(name);
  out.begin_object();
  out.member("mean", found.mean);
  out.member("median", found.median);
  out.member("p90", found.quantiles[0]);
  out.member("p99", found.quantiles[1]);
  out.end_object();
}

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

void turn_figures::add(const client::record& record, const request_times& times) {
  const std::size_t number = std::min<std::size_t>(record.turn, most - 1);
  if (turns_.size() <= number) turns_.resize(number + 1);
  turn& to = turns_[number];
  if (!times.ok) {
    ++to.failed;
    return;
  }
  ++to.ok;
  to.input += times.input;
  to.output += times.output;
  if (record.cached_tokens >= 0) {
    to.cached += limited_count(record.cached_tokens);
    ++to.said_cached;
  }
  if (times.events == 0) {
    to.e2el.add(latency{times.start, times.end});
    return;
  }
  const std::uint64_t first = times.at(arrival::first);
  const std::uint64_t last = times.at(arrival::last);
  to.e2el.add(latency{times.start, last});
  to.ttft.add(latency{times.start, first});
  if (times.output > 1) to.tpot.add(latency{first, last, times.output - 1});
}

void turn_figures::merge(const turn_figures& other) {
  if (turns_.size() < other.turns_.size()) turns_.resize(other.turns_.size());
  for (std::size_t i = 0; i < other.turns_.size(); ++i) {
    turn& to = turns_[i];
    const turn& from = other.turns_[i];
    to.ok += from.ok;
    to.failed += from.failed;
    to.input += from.input;
    to.output += from.output;
    to.cached += from.cached;
    to.said_cached += from.said_cached;
    to.ttft.merge(from.ttft);
    to.tpot.merge(from.tpot);
    to.e2el.merge(from.e2el);
  }
}

void turn_figures::write(ifb::json_writer& out) const {
  out.begin_array();
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const turn& of = turns_[i];
    out.begin_object();
    out.member("turn", i + 1);
    if (i + 1 == most) out.member("and_later", true);
    out.member("ok", of.ok);
    out.member("failed", of.failed);
    out.member("mean_input_tokens", mean(of.input, of.ok));
    out.member("mean_output_tokens", mean(of.output, of.ok));
    if (of.said_cached > 0) out.member("mean_cached_tokens", mean(of.cached, of.said_cached));
    write_times(out, "ttft_ms", of.ttft);
    write_times(out, "tpot_ms", of.tpot);
    write_times(out, "e2el_ms", of.e2el);
    out.end_object();
  }
  out.end_array();
}

}  // namespace inferbench::metrics
