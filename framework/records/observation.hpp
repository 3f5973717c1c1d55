// What was read from the metrics page of one server during a run (--observe), as the journal keeps
// it. framework/observe makes the observations and computes the series from them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inferbench::records {

/// The definition of a series. Every source numbers its series from 0.
struct observed_series {
  std::uint32_t index = 0;
  std::string name;    // "running"; for a metric without a ready name the name of the metric
  std::string metric;  // the name on the page: "vllm:num_requests_running"
  std::string unit;    // of the values as they are shown; empty: not known
  bool counter = false;
  std::string combined;  // how several label sets became one value: "sum" or "mean"; empty: the
                         // series is one label set, without a ready name
  std::vector<std::pair<std::string, std::string>> labels;

  friend bool operator==(const observed_series&, const observed_series&) = default;
};

struct observed_value {
  std::uint32_t series = 0;
  bool counter = false;  // as in the definition, which may be lost
  bool fresh = false;    // a counter that does not continue its earlier values: other label sets
  double value = 0;      // as on the page, in the unit of the series

  friend bool operator==(const observed_value&, const observed_value&) = default;
};

/// One reading of a page, or definitions alone. Definitions appear with the first value of their
/// series, and all of them once more at the end, so that the loss of one frame loses one reading.
struct observation {
  std::uint32_t source = 0;       // number of the page in the run, from 0
  std::uint64_t at_ns = 0;        // when the page was read, by the host clock; 0: it was not read
  std::string error;              // not empty: the reading failed, and there are no values
  std::string url;                // empty: as before; so are the three members below
  std::string server;             // "vllm"; empty: no metric with a ready name was seen so far
  std::uint64_t interval_ns = 0;  // the wanted time between two readings
  std::uint32_t left_out = 0;     // number of wanted series that are beyond the limit
  std::vector<observed_series> series;
  std::vector<observed_value> values;

  friend bool operator==(const observation&, const observation&) = default;
};

}  // namespace inferbench::records
