// The series of a run: computes them from the observations, in constant memory, and writes the fact
// "series". The run and `inferbench report` add the same observations, so both get the same series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "records/observation.hpp"

namespace inferbench::observe {

/// The latest value of a series, for views of a run that is in progress.
struct current_value {
  std::string url;
  std::string server;  // empty: not known
  std::string name;
  std::string unit;
  std::vector<std::pair<std::string, std::string>> labels;
  double value = 0;
};

/// Any thread may call any function. The observations may come from a journal, which anybody may
/// have written: numbers beyond the limits are ignored.
///
/// The value of a gauge is what the page said. The value of a counter is its increase for each
/// second since the last reading that succeeded; it is a gap if the counter became smaller (the
/// server was restarted) or its label sets changed. A reading that failed is a gap in each series.
///
/// A source keeps at most `most_points` points and `most_values` values of all its series. When
/// they are full, each two neighbouring points become their mean, and from then on each point is
/// the mean of twice as many readings.
class series_log {
 public:
  static constexpr std::size_t most_sources = 64;
  static constexpr std::size_t most_series = 512;  // of a source
  static constexpr std::size_t most_points = 7200;
  static constexpr std::size_t most_values = std::size_t{1} << 19U;

  /// `started_ns`: the start of the run. Times of the series count from there.
  explicit series_log(std::uint64_t started_ns) : started_ns_(started_ns) {}

  void add(const records::observation& what);

  /// Whether nothing was added.
  [[nodiscard]] bool empty() const;
  /// The fact "series" (docs/observe.md), a JSON object. Values have six significant digits.
  [[nodiscard]] std::string to_json() const;
  /// The latest values, without the series whose latest value is a gap.
  [[nodiscard]] std::vector<current_value> latest() const;
  /// Lines for the user at the end of a run: sources that never answered, that have no ready name,
  /// or that have more wanted series than are kept.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct line {
    records::observed_series about;
    bool defined = false;
    std::vector<double> values;  // by point, NaN for a gap; gaps at the end may be missing
    double open_sum = 0;         // of the readings of the point that is not complete yet
    std::size_t open_count = 0;
    bool counting = false;  // last_value and last_ns are set
    double last_value = 0;
    std::uint64_t last_ns = 0;
    double total = 0;                                          // the known increases of a counter
    double latest = std::numeric_limits<double>::quiet_NaN();  // NaN: a gap
  };
  struct source {
    std::string url;
    std::string server;
    std::uint64_t interval_ns = 0;
    std::uint64_t scrapes = 0;
    std::uint64_t failed = 0;
    std::string first_error;
    std::uint32_t left_out = 0;
    std::uint64_t last_ns = 0;
    std::size_t per_point = 1;  // readings of a point
    std::size_t open = 0;       // readings of the point that is not complete yet
    double open_at_sum = 0;
    std::vector<double> at_s;
    std::map<std::uint32_t, line> lines;
  };

  static void define(source& to, const records::observation& what);
  void read(source& to, const records::observation& what) const;
  static void close_point(source& of);
  static void halve(source& of);
  static void put(line& to, const records::observed_value& value, std::uint64_t at_ns);
  /// The series with this ready name; nullptr if the source has none.
  static const line* ready(const source& from, std::string_view name);
  static void write_source(ifb::json_writer& out, source from);
  static void write_lines(ifb::json_writer& out, const source& from);

  const std::uint64_t started_ns_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, source> sources_;
};

}  // namespace inferbench::observe
