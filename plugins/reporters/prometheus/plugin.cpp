// The reporter `prometheus` writes the figures of a run as a file for the textfile collector of
// node_exporter, and sends them to a Pushgateway while the run goes on.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/run_description_json.hpp>

#include "exposition.hpp"
#include "pusher.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"
#include "samples.hpp"

namespace {

class prometheus {
 public:
  static constexpr const char* id = "prometheus";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes the figures in the text format of Prometheus, and pushes them during the run if "
      "wanted.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;
    std::vector<std::string> labels;
    std::string push_url;
    std::chrono::nanoseconds push_interval{};
    std::optional<std::string> push_instance;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"inferbench.prom\""},
          ifb::option{"labels", &options::labels, "KEY=VALUE pairs that become labels."}.value_name(
              "KEY=VALUE"),
          ifb::option{"push-url", &options::push_url,
                      "Address of a Pushgateway that gets the figures during the run and at its "
                      "end.",
                      nullptr, IFB_OPT_SECRET}
              .value_name("URL"),
          ifb::option{"push-interval", &options::push_interval,
                      "Time between two pushes during the run, at least one second.", "\"10s\""}
              .range(1e9, 1e15),
          ifb::option{"push-instance", &options::push_instance,
                      "Value of the label instance of what is pushed; without it, the name of this "
                      "machine."},
      };
    }
  };

  prometheus(ifb::host host, const options& given)
      : host_(host),
        options_(given),
        path_(reporters::report_path(given.file)),
        own_labels_(labels_of(given.labels)) {
    if (!options_.push_url.empty()) (void)reporters::pusher(host_, options_.push_url, "");
  }

  void begin(const ifb_run& run) {
    const ifb::run_description about = ifb::describe(ifb::view(run.config_json));
    started_unix_ns_ = run.started_unix_ns;
    labels_ = {{"run", std::string(ifb::view(run.name))},
               {"model", about.model_id},
               {"backend", about.backend}};
    if (about.label) labels_.emplace_back("label", *about.label);
    labels_.insert(labels_.end(), own_labels_.begin(), own_labels_.end());
    if (options_.push_url.empty()) return;
    const rapidjson::Document environment =
        reporters::parse_object(ifb::view(run.environment_json));
    const std::string_view machine =
        reporters::text_of(reporters::find(reporters::find(environment, "machine"), "host"));
    pusher_.emplace(host_, options_.push_url,
                    options_.push_instance.value_or(std::string(machine)));
  }

  void snapshot(const ifb_snapshot& live) {
    if (!pusher_ || live.at_ns < next_push_ns_) return;
    next_push_ns_ = live.at_ns + static_cast<std::uint64_t>(options_.push_interval.count());
    reporters::exposition out(labels_);
    reporters::add_figures(out, ifb::metrics_of(live));
    reporters::add_times(out, started_unix_ns_, 0, false);
    pusher_->push(out.text());
  }

  void end(const ifb_summary& result) {
    reporters::exposition out(labels_);
    reporters::add_figures(out, ifb::metrics_of(result));
    reporters::add_facts(out, reporters::parse_object(ifb::view(result.facts_json)));
    reporters::add_times(out, started_unix_ns_, result.finished_unix_ns,
                         (result.flags & IFB_SUMMARY_INTERRUPTED) != 0);
    reporters::output_file file(path_, reporters::output_file::mode::replace);
    file.write(out.text());
    file.commit();
    if (const auto terminal = host_.find_console())
      terminal->artifact("prometheus", path_.string());
    if (pusher_) pusher_->push(out.text());
  }

 private:
  static reporters::prometheus_labels labels_of(const std::vector<std::string>& items) {
    reporters::prometheus_labels out;
    for (const std::string& item : items) {
      const auto equals = item.find('=');
      if (equals == std::string::npos)
        throw ifb::failure{IFB_E_CONFIG, "\"" + item + "\" is not KEY=VALUE", "labels"};
      const std::string name(ifb::trim(std::string_view(item).substr(0, equals)));
      if (name.empty() || reporters::metric_name(name) != name || name.starts_with("__"))
        throw ifb::failure{IFB_E_CONFIG,
                           "\"" + name + "\" is no name for a label: use letters, digits and _",
                           "labels"};
      if (is_ours(name) ||
          std::ranges::find(out, name, [](auto& each) { return each.first; }) != out.end())
        throw ifb::failure{IFB_E_CONFIG, "there already is a label \"" + name + "\"", "labels"};
      out.emplace_back(name, ifb::trim(std::string_view(item).substr(equals + 1)));
    }
    return out;
  }
  static bool is_ours(std::string_view name) {
    for (const char* ours : {"run", "model", "backend", "label", "quantile", "state", "class",
                             "http_status", "goal", "figure", "verdict", "job", "instance"})
      if (name == ours) return true;
    return false;
  }

  ifb::host host_;
  options options_;
  std::filesystem::path path_;
  reporters::prometheus_labels own_labels_;
  reporters::prometheus_labels labels_;
  std::optional<reporters::pusher> pusher_;
  std::int64_t started_unix_ns_ = 0;
  std::uint64_t next_push_ns_ = 0;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<prometheus>);
