#include "metrics/workload_classes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "metrics/ledger.hpp"
#include "metrics/request_times.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

namespace {

constexpr const char* other_classes = "(others)";

double ms_between(std::uint64_t from, std::uint64_t to) {
  return to > from ? static_cast<double>(to - from) / 1e6 : 0;
}

void write_latency(ifb::json_writer& out, const char* name, std::vector<double> values,
                   std::span<const double> percentiles) {
  if (values.empty()) return;
  const statistics found = describe(values, percentiles);
  out.key(name);
  out.begin_object();
  out.member("mean", found.mean);
  out.member("median", found.median);
  for (std::size_t i = 0; i < percentiles.size(); ++i)
    out.member(fmt::format("p{:.12g}", percentiles[i]), found.quantiles[i]);
  out.end_object();
}

}  // namespace

void workload_classes::add(const client::record& of, bool pooling) {
  if (never_sent(of)) return;
  const auto named =
      std::ranges::find(of.attributes, attribute, [](const auto& each) { return each.first; });
  if (named == of.attributes.end()) return;
  const bool kept = classes_.size() < most_classes || classes_.contains(named->second);
  one_class& to = classes_[kept ? named->second : std::string(other_classes)];
  if (!of.ok()) {
    ++to.failed;
    return;
  }
  ++to.completed;
  to.input_tokens += limited_count(of.prompt_tokens);
  to.output_tokens += limited_count(of.output_tokens);
  if (pooling || of.tokens.empty()) {
    to.e2el_ms.push_back(ms_between(of.start_ns, of.end_ns));
    return;
  }
  to.ttft_ms.push_back(ms_between(of.start_ns, of.tokens.front()));
  to.e2el_ms.push_back(ms_between(of.start_ns, of.tokens.back()));
}

std::string workload_classes::to_json(std::span<const double> percentiles) const {
  ifb::json_writer out;
  out.begin_object();
  for (const auto& [name, one] : classes_) {
    out.key(name);
    out.begin_object();
    out.member("requests", one.completed + one.failed);
    out.member("completed", one.completed);
    out.member("failed", one.failed);
    out.member("total_input_tokens", one.input_tokens);
    out.member("total_output_tokens", one.output_tokens);
    write_latency(out, "ttft_ms", one.ttft_ms, percentiles);
    write_latency(out, "e2el_ms", one.e2el_ms, percentiles);
    out.end_object();
  }
  out.end_object();
  return out.take();
}

}  // namespace inferbench::metrics
