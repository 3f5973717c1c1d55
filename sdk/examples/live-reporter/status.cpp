// A reporter that keeps a file with the state of the run, for a dashboard or a script that waits:
//
//   {"run": "nightly", "state": "running", "finished": 812, "planned": 1000, "failed": 3,
//    "in_flight": 40, "elapsed_s": 12.5, "request_throughput": 64.9, "ttft_p99_ms": 71.25}
//
// With IFB_REPORTER_LIVE the host calls snapshot about four times a second, with running summaries.
// The file is replaced as a whole, so a reader never sees a part of it.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

namespace {

/// Writes a member of the facts, which is a number or null.
void copy(ifb::json_writer& out, std::string_view name, const ifb::json_value* value) {
  out.key(name);
  if (value == nullptr)
    out.null();
  else
    ifb::write(out, *value);
}

class status_reporter {
 public:
  static constexpr const char* id = "status";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "A file with the state of the run, kept up to date.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_LIVE | IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to keep up to date.", "\"status.json\""}};
    }
  };

  status_reporter(ifb::host, const options& given) : path_(given.file) {}

  // The run has not started. A file that cannot be written must be reported now.
  void begin(const ifb_run& run) {
    name_ = ifb::view(run.name);
    write("waiting", {}, {});
  }

  void snapshot(const ifb_snapshot& now) {
    write("running", ifb::metrics_of(now), ifb::view(now.facts_json));
  }

  // The facts of the end have the accounting instead of the progress.
  void end(const ifb_summary& all) {
    const bool stopped = (all.flags & IFB_SUMMARY_INTERRUPTED) != 0;
    write(stopped ? "stopped" : "finished", ifb::metrics_of(all), ifb::view(all.facts_json));
  }

 private:
  void write(std::string_view state, ifb::strided<ifb_metric> metrics, std::string_view facts) {
    ifb::json_writer out;
    out.begin_object();
    out.member("run", name_);
    out.member("state", state);
    if (!facts.empty()) add_facts(out, ifb::read_json(facts));
    for (const ifb_metric& metric : metrics)
      add_figure(out, metric);
    out.end_object();
    replace(out.text());
  }

  /// A dataset without an end has no number of planned requests: the member is null.
  static void add_facts(ifb::json_writer& out, const ifb::json_value& facts) {
    if (const auto* progress = ifb::find(facts, "progress")) {
      for (const char* name : {"finished", "planned", "failed", "in_flight", "elapsed_s"})
        copy(out, name, ifb::find(progress, name));
    } else if (const auto* counts = ifb::find(facts, "accounting")) {
      copy(out, "finished", ifb::find(counts, "sent"));
      for (const char* name : {"planned", "failed"})
        copy(out, name, ifb::find(counts, name));
    }
  }

  static void add_figure(ifb::json_writer& out, const ifb_metric& metric) {
    const std::string_view name = metric.name;
    if (name == "request_throughput") out.member(name, metric.value);
    if (name != "ttft") return;
    for (const ifb_quantile& each : ifb::quantiles_of(metric))
      if (each.q == 0.99) out.member("ttft_p99_ms", each.value);
  }

  void replace(std::string_view text) const {
    const std::string part = path_.text + ".part";
    std::ofstream file(part, std::ios::trunc);
    file << text << '\n';
    file.close();
    if (!file || std::rename(part.c_str(), path_.c_str()) != 0)
      throw ifb::failure{
          IFB_E_IO, "cannot write " + path_.text + ": " + std::generic_category().message(errno),
          "file"};
  }

  ifb::path path_;
  std::string name_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<status_reporter>)
