#include "metrics/steady_search.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "confidence/mser.hpp"
#include "metrics/latency.hpp"
#include "metrics/outcome.hpp"
#include "metrics/statistics.hpp"
#include "metrics/summaries.hpp"

namespace inferbench::metrics {
namespace {

using requests = std::span<const request_times* const>;

constexpr const char* unordered =
    "it needs the start and end of every request; use --summary exact";

/// The part of the time from `from` to `to` that is inside. An instant is inside or outside.
double part_inside(const steady_part& part, std::uint64_t from, std::uint64_t to) {
  if (to <= from) return from >= part.begin && from <= part.end ? 1 : 0;
  const std::uint64_t begin = std::max(from, part.begin);
  const std::uint64_t end = std::min(to, part.end);
  return begin < end ? number(end - begin) / number(to - from) : 0;
}

void write_summary(ifb::json_writer& out, const definition& row, of_request how,
                   const steady_part& part, requests rows, std::vector<double>& values) {
  values.clear();
  for (const request_times* r : rows)
    if (r->start >= part.begin && r->start <= part.end)
      if (const auto value = how(*r)) values.push_back(value->value_ms());
  if (values.empty()) return;
  constexpr std::array percentiles{50.0, 99.0};
  const statistics found = describe(values, percentiles);
  out.key(row.name);
  out.begin_object();
  out.member("mean", found.mean);
  out.member("p50", found.quantiles[0]);
  out.member("p99", found.quantiles[1]);
  out.end_object();
}

/// Requests count when they complete. The output tokens of a request are spread evenly over the
/// time from its first to its last stream event.
void write_rates(ifb::json_writer& out, const context& run, const steady_part& part,
                 requests rows) {
  const double length_s = ms(part.begin, part.end) / 1e3;
  double completed = 0;
  double tokens = 0;
  for (const request_times* r : rows) {
    if (!r->ok) continue;
    if (r->end >= part.begin && r->end <= part.end) ++completed;
    tokens += r->output * part_inside(part, r->at(arrival::first), r->at(arrival::last));
  }
  out.member("request_throughput", rate(completed, length_s));
  if (!run.pooling) out.member("output_throughput", rate(tokens, length_s));
}

}  // namespace

steady_part find_steady_part(requests rows) {
  steady_part out;
  std::vector<double> values;
  std::vector<std::uint64_t> starts;
  values.reserve(rows.size());
  starts.reserve(rows.size());
  for (const request_times* r : rows) {
    const auto value = r->from_start(arrival::last);
    if (!value) continue;
    values.push_back(value->value_ms());
    starts.push_back(r->start);
  }
  if (values.size() < least_for_steady) {
    out.reason = fmt::format("{} successful requests are too few; {} are needed", values.size(),
                             least_for_steady);
    return out;
  }
  const confidence::truncation cut = confidence::find_truncation(values);
  if (cut.at_edge) {
    out.reason = "the latencies change until the end of the run";
    return out;
  }
  out.begin = starts[cut.cut];
  out.end = rows.back()->start;
  if (out.end <= out.begin) {
    out.reason = "all requests started at the same time";
    return out;
  }
  out.found = true;
  out.requests = values.size() - cut.cut;
  return out;
}

void write_steady(ifb::json_writer& out, const context& run, definitions figures, requests rows,
                  bool exact) {
  steady_part part;
  if (exact)
    part = find_steady_part(rows);
  else
    part.reason = unordered;
  out.begin_object();
  out.member("method", "MSER-5");
  out.member("found", part.found);
  if (part.found) {
    // The clock of the run; a journal that is damaged may have none.
    const std::uint64_t first = rows.front()->start;
    const std::uint64_t origin =
        run.started_ns != 0 && run.started_ns <= first ? run.started_ns : first;
    out.member("begin_s", ms(origin, part.begin) / 1e3);
    out.member("end_s", ms(origin, part.end) / 1e3);
    out.key("requests");
    out.integer(part.requests);
  }
  out.key("reason");
  if (part.reason.empty())
    out.null();
  else
    out.string(part.reason);
  if (part.found) {
    out.key("figures");
    out.begin_object();
    std::vector<double> values;
    values.reserve(rows.size());
    for (const definition& row : figures)
      if (const auto* how = std::get_if<of_request>(&row.how);
          how != nullptr && (row.flags & IFB_METRIC_UPSTREAM) != 0 && summary_of(row, run))
        write_summary(out, row, *how, part, rows, values);
    write_rates(out, run, part, rows);
    out.end_object();
  }
  out.end_object();
}

}  // namespace inferbench::metrics
