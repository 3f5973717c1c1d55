// A reporter that writes figures as lines of tab-separated values, for a spreadsheet. For a single
// run it writes each figure with its value. For several runs (`inferbench report A.journal
// B.journal`, a sweep) it writes each figure of each run and of each point, with its interval:
//
//   of        name  axes                 figure  statistic  unit  value  low   high  observations
//   run 0     base  max_concurrency=8    ttft    p99        ms    71.25  -inf  93.5  412
//   point 0         max_concurrency=8    ttft    p99        ms    70.9   64.2  77.6  3
//
// ifb::reporter offers both interfaces, because the class has the functions of both. The host uses
// an object for one of the two.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

class tsv_table_reporter {
 public:
  static constexpr const char* id = "tsv-table";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "Figures of a run, or of several, for a spreadsheet.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;

    static constexpr auto schema() {
      return std::tuple{ifb::option{"file", &options::file, "File to write.", "\"figures.tsv\""}};
    }
  };

  tsv_table_reporter(ifb::host host, const options& given) : host_(host), path_(given.file) {}

  // ---- one run

  void begin(const ifb_run&) {
    open();
    line("figure", "unit", "value", "count");
  }

  void end(const ifb_summary& all) {
    for (const ifb_metric& metric : ifb::metrics_of(all))
      line(metric.name, metric.unit, metric.value, metric.count);
    close();
  }

  // ---- several runs

  void begin(const ifb_table&) {
    open();
    line("of", "name", "axes", "figure", "statistic", "unit", "value", "low", "high",
         "observations");
  }

  // A run may have figures without an interval: their limits are infinite, and 0 observations are
  // behind them.
  void run(const ifb_table_run& one) {
    add("run " + std::to_string(one.index), ifb::view(one.label), ifb::axes_of(one),
        ifb::intervals_of(one));
  }

  // In a report of journals each run is a point of its own.
  void end(const ifb_table_end& all) {
    std::size_t number = 0;
    for (const ifb_table_point& point : ifb::points_of(all))
      add("point " + std::to_string(number++), {}, ifb::axes_of(point), ifb::figures_of(point));
    close();
  }

 private:
  void add(const std::string& of, std::string_view name, std::span<const ifb_field> axes,
           ifb::strided<ifb_interval> figures) {
    std::string place;
    for (const ifb_field& axis : axes) {
      if (!place.empty()) place += ' ';
      place.append(ifb::view(axis.name)).append("=").append(ifb::view(axis.value));
    }
    for (const ifb_interval& each : figures)
      line(of, name, place, each.name, each.statistic, each.unit, each.value, each.low, each.high,
           each.observations);
  }

  template <typename first, typename... others>
  void line(const first& column, const others&... columns) {
    put(column);
    ((file_ << '\t', put(columns)), ...);
    file_ << '\n';
  }
  void put(double value) { file_ << value; }
  void put(std::uint64_t value) { file_ << value; }
  // A label is the text of a user: a tab or a line end would break the table.
  void put(std::string_view text) {
    for (const char c : text)
      file_ << (c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
  }

  void open() {
    file_.open(path_.c_str());
    if (!file_) throw cannot("open");
  }
  void close() {
    file_.close();
    if (!file_) throw cannot("write");
    if (const auto console = host_.find_console()) console->artifact("figures", path_.text);
  }
  [[nodiscard]] ifb::failure cannot(const std::string& what) const {
    const std::string reason = std::generic_category().message(errno);
    return {IFB_E_IO, "cannot " + what + " " + path_.text + ": " + reason, "file"};
  }

  ifb::host host_;
  ifb::path path_;
  std::ofstream file_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<tsv_table_reporter>)
