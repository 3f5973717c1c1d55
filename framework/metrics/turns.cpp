#include "metrics/turns.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <inferbench/json_writer.hpp>

#include "metrics/bounds.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

namespace {

std::size_t place_of_turn(const request_times& of) {
  return std::min<std::size_t>(of.turn, turn_figures::most) - 1;
}

template <typename kind>
void add_latencies(turn_latencies<kind>& to, const request_times& from) {
  const auto add = [&](auto& values, metric id) {
    if (const auto value = std::get<of_request>(define(id).how)(from)) values.add(*value);
  };
  add(to.ttft, metric::ttft);
  add(to.tpot, metric::tpot);
  add(to.e2el, metric::e2el);
}

/// Adds the latencies of one turn, and copies its gaps to `gaps`.
void collect_turn(const kept_requests& kept, std::size_t place, turn_latencies<exact_figures>& to,
                  tape& gaps) {
  to.itl = exact_gaps(gaps);
  tape::reader all_gaps(kept.gaps);
  kept.rows.for_each([&](const request_times& r) {
    if (r.turn == 0 || place_of_turn(r) != place) {
      for (std::uint32_t i = 1; i < r.events; ++i)
        (void)all_gaps.next();
      return;
    }
    add_latencies(to, r);
    if (r.events == 0) return;
    std::uint64_t at = r.at(arrival::first);
    client::stamps events(at);
    events.push(at);
    for (std::uint32_t i = 1; i < r.events; ++i) {
      const std::uint64_t gap = all_gaps.next();
      to.itl.add(gap);
      events.push(at += gap);
    }
    gaps.append(events);
  });
}

/// A percentile with its name in the fact, such as "p99.9".
using named_percentile = std::pair<double, std::string>;

/// The percentiles of the run and those that are always written, each once, in ascending order.
std::vector<named_percentile> named_percentiles(std::span<const double> percentiles) {
  std::vector<double> wanted(percentiles.begin(), percentiles.end());
  wanted.insert(wanted.end(), {90.0, 99.0});
  std::ranges::sort(wanted);
  std::vector<named_percentile> out;
  for (const double p : wanted)
    if (std::string name = percentile_key(p); out.empty() || out.back().second != name)
      out.emplace_back(p, std::move(name));
  return out;
}

class latency_writer {
 public:
  latency_writer(ifb::json_writer& out, std::span<const double> percentiles)
      : out_(out), named_(named_percentiles(percentiles)) {
    for (const auto& [percentile, name] : named_)
      percentiles_.push_back(percentile);
  }

  /// Figures without a value are left out.
  template <typename latencies>
  void write(latencies& of) {
    write("ttft_ms", of.ttft.describe(percentiles_));
    write("tpot_ms", of.tpot.describe(percentiles_));
    write("itl_ms", of.itl.describe(percentiles_));
    write("e2el_ms", of.e2el.describe(percentiles_));
  }

 private:
  void write(std::string_view name, const statistics& found) {
    if (found.count == 0) return;
    out_.key(name);
    out_.begin_object();
    out_.member("mean", found.mean);
    out_.member("median", found.median);
    out_.member("std", found.deviation);
    for (std::size_t i = 0; i < named_.size(); ++i)
      out_.member(named_[i].second, found.quantiles[i]);
    out_.end_object();
  }

  ifb::json_writer& out_;
  std::vector<named_percentile> named_;
  std::vector<double> percentiles_;
};

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

void turn_figures::add(const client::record& record, const request_times& times) {
  const std::size_t place = place_of_turn(times);
  if (turns_.size() <= place) turns_.resize(place + 1);
  if (bounded_) latencies_.resize(turns_.size());
  turn& to = turns_[place];
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
  if (!bounded_) return;
  add_latencies(latencies_[place], times);
  if (times.events == 0) return;
  std::uint64_t last = record.tokens.front();
  bool first = true;
  record.tokens.for_each([&](std::uint64_t at) {
    if (!std::exchange(first, false)) latencies_[place].itl.add(at - last);
    last = at;
  });
}

std::size_t turn_figures::bytes() const noexcept {
  std::size_t out = 0;
  for (const auto& [ttft, tpot, e2el, itl] : latencies_)
    out += ttft.bytes() + tpot.bytes() + e2el.bytes() + itl.bytes();
  return out;
}

void turn_figures::write(ifb::json_writer& out, std::span<const double> percentiles,
                         const kept_requests* kept) const {
  latency_writer latencies(out, percentiles);
  out.begin_array();
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const turn& of = turns_[i];
    out.begin_object();
    out.member("turn", i + 1);
    if (i + 1 == most) out.member("and_later", true);
    out.member("ok", of.ok);
    out.member("failed", of.failed);
    out.member("total_input_tokens", of.input);
    out.member("total_output_tokens", of.output);
    out.member("mean_input_tokens", mean(of.input, of.ok));
    out.member("mean_output_tokens", mean(of.output, of.ok));
    if (of.said_cached > 0) out.member("mean_cached_tokens", mean(of.cached, of.said_cached));
    if (kept == nullptr) {
      latencies.write(latencies_[i]);
    } else {
      tape gaps;
      turn_latencies<exact_figures> found;
      collect_turn(*kept, i, found, gaps);
      latencies.write(found);
    }
    out.end_object();
  }
  out.end_array();
}

}  // namespace inferbench::metrics
