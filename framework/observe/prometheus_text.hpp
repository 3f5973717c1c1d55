// Reads a page of metrics line by line: Prometheus' text format 0.0.4, and OpenMetrics 1.0 as far
// as servers send it (counters with "_total", "# EOF", exemplars, time stamps with a fraction).
// Source: "Exposition formats" of prometheus.io/docs/instrumenting, and the OpenMetrics
// specification. The page is not trusted: every line may hold anything, and a line that cannot be
// read is counted and skipped. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace inferbench::observe {

/// The type of a family, from its line "# TYPE".
enum class metric_type : std::uint8_t { unknown, counter, gauge, histogram, summary };

struct metric_label {
  std::string_view name;
  std::string_view value;  // without the escapes of the page
};

/// One sample. The views are valid during the call that gets it.
struct metric_sample {
  std::string_view name;    // as on the line: "http_seconds_bucket"
  std::string_view series;  // name and labels as they are written
  std::span<const metric_label> labels;
  double value = 0;       // may be infinite or not a number
  bool followed = false;  // a time stamp or an exemplar comes after the value
  metric_type type = metric_type::unknown;
};

struct page_summary {
  std::size_t samples = 0;
  std::size_t bad_lines = 0;
  std::string first_bad;  // the beginning of the first bad line, as one line of UTF-8
  bool cut = false;       // the page has more samples than the limit; the rest was not read
};

inline constexpr std::size_t longest_metric_line = std::size_t{64} * 1024;  // bytes
inline constexpr std::size_t most_metric_labels = 64;                       // of one sample
inline constexpr std::size_t most_metric_samples = 200'000;                 // of one page

/// Calls `take` for each sample of the page, in the order of the page. Time is linear in the size
/// of the page; memory is a view for each family and the size of one line.
page_summary read_metrics(std::string_view page,
                          const std::function<void(const metric_sample&)>& take);

}  // namespace inferbench::observe
