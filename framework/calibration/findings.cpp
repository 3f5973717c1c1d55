#include "calibration/findings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "calibration/truth.hpp"
#include "client/record.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/context.hpp"
#include "records/journal_reader.hpp"

namespace inferbench::calibration {

namespace {

// The compared percentiles.
const std::vector<double> percentiles{50, 99};

/// A figure of a metric: its error in the comparison (`measured`), the bound of that error
/// (`at_most`), and the part of the error that is proven to be the client's (`proven`).
struct checked_figure {
  const char* part;                  // "mean", "p50", "p99"
  double measured, at_most, proven;  // ms
};

/// The compared values of the metric `of`, with their bounds; empty if no bound is known.
std::vector<checked_figure> checked(const findings& found, metrics::metric of,
                                    const checked_figures& seen) {
  const auto at = std::ranges::find(found.bounds, of, &metrics::error_bound::of);
  if (at == found.bounds.end() || at->unknown != 0) return {};
  const auto percentile = [&](double p) {
    return std::ranges::find(at->percentiles, p, [](const auto& each) { return each.first; })
        ->second.ms;
  };
  return {{"mean", seen.measured.mean, at->mean.ms, seen.proven.mean},
          {"p50", seen.measured.p50, percentile(50), seen.proven.p50},
          {"p99", seen.measured.p99, percentile(99), seen.proven.p99}};
}

/// Tolerance for errors that the bounds do not contain: the conversion of kernel stamps from one
/// clock to another, and the system call between the server's stamps before and after a write.
constexpr double clock_error_ms = 0.02;

struct figure_name {
  const char* key;
  const char* label;
  metrics::metric id;
  checked_figures accuracy::* seen;
};
constexpr std::array<figure_name, 3> compared{{
    {"ttft", "TTFT", metrics::metric::ttft, &accuracy::ttft_checked},
    {"itl", "ITL", metrics::metric::itl, &accuracy::itl_checked},
    {"e2el", "E2EL", metrics::metric::e2el, &accuracy::e2el_checked},
}};

/// The figures that the requests have.
std::span<const figure_name> compared_in(const findings& found) {
  return std::span(compared).last(found.pooling ? 1 : compared.size());
}

/// Whether no proven error exceeds its bound; nullopt if no bound is known.
std::optional<bool> bounds_hold(const findings& found) {
  bool any = false;
  for (const figure_name& one : compared_in(found))
    for (const checked_figure& each : checked(found, one.id, found.how_far.*one.seen)) {
      any = true;
      if (each.proven > each.at_most + clock_error_ms) return false;
    }
  return any ? std::optional(true) : std::nullopt;
}

/// The errors of each figure; null for a figure that the requests do not have.
void write_errors(ifb::json_writer& out, const findings& found) {
  const accuracy& a = found.how_far;
  struct group {
    const char* name;
    const error_figures& figures;
    bool streams_only;
  };
  for (const auto& [name, figures, streams_only] :
       {group{"ttft_error_ms", a.ttft, true}, group{"itl_error_ms", a.itl, true},
        group{"e2el_error_ms", a.e2el, false}, group{"event_delay_ms", a.delay, false}}) {
    out.key(name);
    if (streams_only && found.pooling)
      out.null();
    else
      write(out, figures);
  }
  out.key("p99_difference_ms");
  out.begin_object();
  for (const auto& [name, value] : {std::pair{"ttft", a.p99_ttft}, std::pair{"itl", a.p99_itl}}) {
    out.key(name);
    if (found.pooling)
      out.null();
    else
      out.number(value);
  }
  out.member("e2el", a.p99_e2el);
  out.end_object();
}

void write_stamp_error(ifb::json_writer& out, const findings& found) {
  out.key("stamp_error_ms");
  out.begin_object();
  for (const figure_name& one : compared) {
    out.key(one.key);
    const auto figures = checked(found, one.id, found.how_far.*one.seen);
    if (figures.empty()) {
      out.null();
      continue;
    }
    out.begin_object();
    for (const checked_figure& each : figures) {
      out.key(each.part);
      out.begin_object();
      out.member("figure", each.measured);
      out.member("at_most", each.at_most);
      out.member("proven", each.proven);
      out.end_object();
    }
    out.end_object();
  }
  out.end_object();
  out.key("bounds_hold");
  if (const auto hold = bounds_hold(found))
    out.boolean(*hold);
  else
    out.null();
}

/// The lines of the report about late stamps. Each cell contains the proven error of the client and
/// its bound, for example "0.031 / 0.110".
std::string stamp_error_text(const findings& found) {
  std::string out = fmt::format("{:<34}{:>8}{:>16}{:>16}\n", "Late stamps, proven / at most (ms)",
                                "mean", "P50", "P99");
  for (const figure_name& one : compared_in(found)) {
    out += fmt::format("{:<26}", one.label);
    const auto figures = checked(found, one.id, found.how_far.*one.seen);
    for (const checked_figure& each : figures)
      out += fmt::format("{:>16}", fmt::format("{:.3f} / {:.3f}", each.proven, each.at_most));
    out += figures.empty() ? "unknown\n" : "\n";
  }
  const auto hold = bounds_hold(found);
  return out + fmt::format("{:<40}{}\n", "Proven errors within the bounds:",
                           !hold   ? "unknown"
                           : *hold ? "yes"
                                   : "NO");
}

/// Removes the first event of a chat stream, the role event: the server writes it together with the
/// first token.
void drop_role_event(client::record& of) {
  client::stamps tokens(of.tokens.origin());
  bool role = true;
  of.tokens.for_each([&](std::uint64_t at) {
    if (!std::exchange(role, false)) tokens.push(at);
  });
  of.tokens = std::move(tokens);
  std::erase_if(of.late.events, [](const client::late_event& one) { return one.event == 0; });
  for (client::late_event& one : of.late.events)
    --one.event;
}

/// The client's bounds for each metric, for the same events that are compared.
class bounds_of_compared {
 public:
  explicit bounds_of_compared(bool pooling) : run_(about(pooling)) {}

  void add(client::record seen, bool role_event) {
    // The comparison measures from the client's own start, so late stamps are the only errors that
    // it can prove. The bounds must not include the delay of sending, which would hide a bound on
    // late stamps that is too small.
    seen.late.sending_ns = 0;
    latencies_.add(seen);
    if (role_event) drop_role_event(seen);
    gaps_.add(seen);
  }

  [[nodiscard]] std::vector<metrics::error_bound> finish() const {
    std::vector<metrics::error_bound> out = latencies_.bounds(run_);
    const auto is_gaps = [](const metrics::error_bound& one) {
      return one.of == metrics::metric::itl;
    };
    std::erase_if(out, is_gaps);
    std::ranges::copy_if(gaps_.bounds(run_), std::back_inserter(out), is_gaps);
    return out;
  }

 private:
  static metrics::context about(bool pooling) {
    metrics::context out;
    out.pooling = pooling;
    out.percentiles = percentiles;
    return out;
  }

  metrics::context run_;
  metrics::accumulator latencies_{run_};
  metrics::accumulator gaps_{run_};
};

}  // namespace

findings compare(const std::string& journal, const std::string& truth, bool pooling) {
  std::unordered_map<std::string, served> really;
  truth_reader log(truth);
  for (served one; log.next(one);)
    really.insert_or_assign(one.id, one);
  findings out;
  out.pooling = pooling;
  truth_comparison both(pooling);
  bounds_of_compared said(pooling);
  records::journal_reader reader(journal);
  for (client::record r; reader.next(r);) {
    const auto at = really.find(r.id);
    if (r.ok() && at != really.end()) {
      if (both.add(r, at->second)) said.add(std::move(r), at->second.role_event);
      continue;
    }
    if (out.failed++ == 0)
      out.first_error = r.ok() ? "a request is not in the ground truth" : r.error;
  }
  out.how_far = both.finish();
  out.bounds = said.finish();
  return out;
}

std::string json_of(const findings& found, const calibrated_load& load) {
  const accuracy& a = found.how_far;
  ifb::json_writer out;
  out.begin_object();
  out.member("backend", load.backend);
  out.member("ttft", load.ttft);
  out.member("itl", load.itl);
  out.member("planned", load.planned);
  out.member("requests", load.requests);
  out.member("failed", found.failed);
  out.member("mismatched", a.mismatched);
  out.member("streams", a.streams);
  out.member("events", a.events);
  out.member("early_events", a.early_events);
  write_errors(out, found);
  write_stamp_error(out, found);
  out.member("verdict", metrics::name_of(found.client.level));
  for (const auto& [name, sentences] :
       {std::pair{"reasons", &found.client.reasons}, std::pair{"causes", &found.client.causes}}) {
    out.key(name);
    out.begin_array();
    for (const std::string& each : *sentences)
      out.string(each);
    out.end_array();
  }
  out.end_object();
  return out.take();
}

std::string table_of(const findings& found, const calibrated_load& load) {
  const accuracy& a = found.how_far;
  std::string out =
      fmt::format("{:=^66}\n", " Calibration ") +
      fmt::format("{:<40}{}\n", "Simulator:",
                  fmt::format("ttft {}, itl {}, {}", load.ttft, load.itl, load.backend)) +
      fmt::format("{:<40}{} of {}\n", "Requests compared:", a.streams, load.requests) +
      fmt::format("{:<40}{}\n", "Events:", a.events) +
      fmt::format("{:<26}{:>10}{:>10}{:>10}{:>10}\n", "Measured less true (ms)", "mean", "P50",
                  "P99", "max");
  const std::pair<const char*, const error_figures&> rows[] = {
      {"TTFT", a.ttft}, {"ITL", a.itl}, {"E2EL", a.e2el}, {"Delay of an event", a.delay}};
  for (const auto& [name, f] : std::span(rows).last(found.pooling ? 2 : std::size(rows)))
    out += fmt::format("{:<26}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.3f}\n", name, f.mean, f.p50, f.p99,
                       f.max);
  out += found.pooling ? fmt::format("{:<40}{:.3f}\n", "P99 less true P99 (E2EL):", a.p99_e2el)
                       : fmt::format("{:<40}{:.3f} {:.3f} {:.3f}\n",
                                     "P99 less true P99 (TTFT, ITL, E2EL):", a.p99_ttft, a.p99_itl,
                                     a.p99_e2el);
  out += stamp_error_text(found) +
         fmt::format("{:<40}{}\n", "Client:", metrics::name_of(found.client.level));
  for (const std::string& each : found.client.reasons)
    out += "  " + each + "\n";
  for (const std::string& each : found.client.causes)
    out += "  observed: " + each + "\n";
  return out + fmt::format("{:=^66}\n", "");
}

}  // namespace inferbench::calibration
