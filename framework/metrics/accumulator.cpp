#include "metrics/accumulator.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "metrics/peaks.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {
namespace {

/// Milliseconds from one stamp to another, negative when they are the other way round.
double ms(std::uint64_t from, std::uint64_t to) {
  return (to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to)) / 1e6;
}

double rate(double amount, double duration_s) { return duration_s > 0 ? amount / duration_s : 0.0; }

double number(std::uint64_t value) { return static_cast<double>(value); }

/// What a codec reports beside the contract's members, by upstream's names.
std::string_view attribute(const client::record& record, std::string_view name) {
  for (const auto& [key, value] : record.attributes)
    if (key == name) return value;
  return {};
}

std::uint64_t count(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

}  // namespace

/// The sets that statistics are taken of, in milliseconds, and what is summed up.
struct accumulator::sets {
  std::vector<double> ttft, tpot, itl, e2el, queue, queue_e2el;
  std::vector<double> due_ttft, due_e2el, text, lag;
  std::vector<span> served;   // successes, from start to the last token
  std::vector<span> flights;  // all, from start to end
  std::uint64_t first_start = UINT64_MAX;
  std::uint64_t input = 0, output = 0, inputs = 0, events = 0, good = 0;
  std::uint64_t most_events = 0;
  exact_sum audio_s;
};

void accumulator::add(const client::record& record, token_source source) {
  ledger_.add(record, source);
  if (never_sent(record)) return;
  row r;
  r.sequence = record.sequence;
  r.due = record.due_ns;
  r.start = record.start_ns;
  r.sent = record.sent_ns;
  r.end = std::max(record.end_ns, record.start_ns);
  r.ok = record.ok();
  if (r.ok) {
    r.first_text = record.first_text_ns;
    r.input = count(record.prompt_tokens);
    r.output = count(record.output_tokens);
    r.inputs = count(base::parse_int(attribute(record, "num_input_sequences")).value_or(1));
    const double audio_s = base::parse_float(attribute(record, "input_audio_duration")).value_or(0);
    r.audio_s = std::isfinite(audio_s) ? audio_s : 0;
  }
  if (r.ok && !pooling_) {
    r.tokens = record.tokens;
    r.first_token = r.last_token = r.start;
    bool first = true;
    record.tokens.for_each([&](std::uint64_t at) {
      if (std::exchange(first, false)) r.first_token = at;
      r.last_token = at;
    });
    output_ += r.output;
    ttft_sum_ns_ += r.first_token - std::min(r.first_token, r.start);
    ++ttft_count_;
  }
  rows_.push_back(std::move(r));
}

report accumulator::snapshot(double elapsed_s) const {
  report out;
  out.add(metric::duration, elapsed_s);
  out.add(metric::completed, number(ledger_.ok()));
  out.add(metric::failed, number(ledger_.sent() - ledger_.ok()));
  out.add(metric::request_throughput, rate(number(ledger_.ok()), elapsed_s));
  if (pooling_) return out;
  out.add(metric::output_throughput, rate(number(output_), elapsed_s));
  out.add_mean(metric::ttft,
               ttft_count_ == 0 ? 0.0 : number(ttft_sum_ns_) / 1e6 / number(ttft_count_),
               ttft_count_);
  return out;
}

report accumulator::finish(const context& run) {
  std::ranges::sort(rows_, {}, &row::sequence);
  sets all = collect(run);
  report out;
  add_scalars(out, run, all);
  add_summaries(out, run, all);
  add_ours(out, run, all);
  return out;
}

accumulator::sets accumulator::collect(const context& run) const {
  sets all;
  for (const row& r : rows_)
    if (r.ok) all.first_start = std::min(all.first_start, r.start);
  second_counts events(all.first_start);

  for (const row& r : rows_) {
    all.flights.push_back({r.start, r.end});
    if (r.sent != 0) all.lag.push_back(ms(r.due, r.sent));
    if (!r.ok) continue;
    all.input += r.input;
    all.output += r.output;
    all.inputs += r.inputs;
    all.audio_s.add(r.audio_s);

    const std::uint64_t last = pooling_ ? r.end : r.last_token;
    const double e2el = ms(r.start, last);
    all.served.push_back({r.start, last});
    all.e2el.push_back(e2el);
    all.queue.push_back(ms(r.due, r.start));
    all.due_e2el.push_back(ms(r.due, last));
    if (pooling_) continue;

    const double ttft = ms(r.start, r.first_token);
    double tpot = 0;
    if (r.output > 1) {
      tpot = ms(r.first_token, last) / number(r.output - 1);
      all.tpot.push_back(tpot);
    }
    all.ttft.push_back(ttft);
    all.due_ttft.push_back(ms(r.due, r.first_token));
    if (r.first_text != 0) all.text.push_back(ms(r.start, r.first_text));
    all.events += r.tokens.size();
    std::uint64_t before = r.first_token;
    bool first = true;
    r.tokens.for_each([&](std::uint64_t at) {
      if (!std::exchange(first, false)) all.itl.push_back(ms(before, at));
      before = at;
      events.add(at);
    });
    const bool good = std::ranges::all_of(run.goodput, [&](const auto& limit) {
      return (limit.first == "ttft" ? ttft : limit.first == "tpot" ? tpot : e2el) <= limit.second;
    });
    if (good) ++all.good;
  }
  all.queue_e2el = all.due_e2el;  // the same sum: (last - start) + (start - due)
  all.most_events = events.most();
  return all;
}

void accumulator::add_scalars(report& out, const context& run, const sets& all) const {
  const double s = run.duration_s;
  out.add(metric::duration, s);
  out.add(metric::completed, number(ledger_.ok()));
  out.add(metric::failed, number(ledger_.sent() - ledger_.ok()));
  out.add(metric::total_input_tokens, number(all.input));
  if (!pooling_) out.add(metric::total_output_tokens, number(all.output));
  if (pooling_) out.add(metric::total_input_sequences, number(all.inputs));
  out.add(metric::request_throughput, rate(number(ledger_.ok()), s));
  if (pooling_) out.add(metric::input_sequence_throughput, rate(number(all.inputs), s));
  if (!pooling_ && !run.goodput.empty())
    out.add(metric::request_goodput, rate(number(all.good), s));
  if (!pooling_) out.add(metric::output_throughput, rate(number(all.output), s));
  out.add(metric::total_token_throughput, rate(number(all.input + all.output), s));
  if (pooling_) return;
  out.add(metric::max_output_tokens_per_s, number(all.most_events));
  out.add(metric::max_concurrent_requests, number(most_in_one_second(all.served, all.first_start)));
  out.add(metric::rtfx, rate(all.audio_s.value(), s));
}

void accumulator::add_summaries(report& out, const context& run, sets& all) const {
  const auto add = [&](metric id, std::vector<double>& values, bool shown) {
    const bool asked =
        std::ranges::find(run.selected, std::string_view(define(id).name)) != run.selected.end();
    out.add(id, describe(values, run.percentiles), run.percentiles, shown && asked);
    std::vector<double>().swap(values);  // the gaps of a long run are gigabytes
  };
  if (!pooling_) {
    add(metric::ttft, all.ttft, run.tokenizer);
    add(metric::tpot, all.tpot, run.tokenizer);
    add(metric::itl, all.itl, run.tokenizer);
  }
  add(metric::e2el, all.e2el, true);
  if (!run.max_concurrency) return;
  add(metric::client_queue_time, all.queue, true);
  if (std::isfinite(run.request_rate) && run.request_rate > 0)
    add(metric::e2el_including_client_queue, all.queue_e2el, true);
}

void accumulator::add_ours(report& out, const context& run, sets& all) const {
  // Ours always have the percentiles that our part of the console report prints.
  std::vector<double> percentiles = run.percentiles;
  for (const double p : {50.0, 90.0, 99.0})
    if (std::ranges::find(percentiles, p) == percentiles.end()) percentiles.push_back(p);
  const auto add = [&](metric id, std::vector<double>& values) {
    out.add(id, describe(values, percentiles), percentiles, false);
  };
  if (!pooling_) add(metric::ttft_from_due, all.due_ttft);
  add(metric::e2el_from_due, all.due_e2el);
  if (!pooling_) add(metric::ttft_text, all.text);
  add(metric::send_lag, all.lag);
  const peak most = most_at_once(all.flights);
  std::uint64_t first = UINT64_MAX;
  for (const span& flight : all.flights)
    first = std::min(first, flight.begin);
  out.add(metric::peak_concurrency, number(most.count));
  if (!pooling_)
    out.add(metric::events_per_token,
            all.output == 0 ? 0.0 : number(all.events) / number(all.output));

  ifb::json_writer facts;
  facts.begin_object();
  ledger_.write(facts, run.planned);
  if (!pooling_) ledger_.write_token_sources(facts);
  facts.key("peak_concurrency");
  facts.begin_object();
  facts.member("requests", most.count);
  facts.member("after_s", most.count == 0 ? 0.0 : ms(first, most.at) / 1e3);
  facts.end_object();
  if (!pooling_ && !run.goodput.empty()) {
    facts.key("goodput_limits_ms");
    facts.begin_object();
    for (const auto& [name, limit] : run.goodput)
      facts.member(name, limit);
    facts.end_object();
  }
  facts.end_object();
  out.set_facts(facts.take());
}

}  // namespace inferbench::metrics
