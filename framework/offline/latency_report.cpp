#include "offline/latency_report.hpp"

#include "base/text.hpp"
#include "offline/times.hpp"

namespace inferbench::offline {

std::string latency_text(const latency_result& result) {
  const time_statistics found = statistics_of(result.latencies_s);
  std::string out = "Avg latency: " + base::shortest(found.mean) + " seconds\n" +
                    "Std latency: " + base::shortest(found.deviation) + " seconds\n";
  for (const auto& [percentile, value] : found.percentiles)
    out += percentile_label(percentile) + "% percentile latency: " + base::shortest(value) +
           " seconds\n";
  return out;
}

options::node latency_json(const latency_result& result) {
  using options::node;
  const time_statistics found = statistics_of(result.latencies_s);
  node out = node::table();
  out.set("avg_latency", node::of(found.mean));
  out.set("std_latency", node::of(found.deviation));
  out.set("latencies", list_of(result.latencies_s));
  out.set("percentiles", percentile_table(found));
  out.set("model_id", result.model.empty() ? node{} : node::of(result.model));
  return out;
}

std::vector<pytorch_metric> latency_metrics(const latency_result& result) {
  using options::node;
  const time_statistics found = statistics_of(result.latencies_s);
  node about = node::table();
  about.set("avg_latency", node::of(found.mean));
  about.set("std_latency", node::of(found.deviation));
  about.set("percentiles", percentile_table(found));
  return {{"latency", result.latencies_s, std::move(about)}};
}

}  // namespace inferbench::offline
