// The text exposition format of Prometheus, version 0.0.4.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reporters {

/// Names and values; the values may be any text.
using prometheus_labels = std::vector<std::pair<std::string, std::string>>;

/// Collects the samples of metrics. The samples of a metric must follow each other. For one thread.
class exposition {
 public:
  /// `common`: the labels of every sample.
  explicit exposition(const prometheus_labels& common);

  /// Begins a metric. `type`: "gauge" or "summary". The name must be valid, see metric_name().
  void metric(std::string_view name, std::string_view type, std::string_view help);
  /// Adds a sample of the metric; `ending` is "", "_sum" or "_count".
  void sample(std::string_view ending, const prometheus_labels& own, double value);
  void sample(double value) { sample("", {}, value); }

  [[nodiscard]] const std::string& text() const noexcept { return out_; }

 private:
  std::string common_;  // the labels as text, without braces
  std::string name_;
  std::string out_;
};

/// Returns `text` as a name: every character that a name cannot have becomes "_".
[[nodiscard]] std::string metric_name(std::string_view text);

}  // namespace reporters
