#include "experiment/table.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "experiment/arrangement.hpp"
#include "experiment/figure_means.hpp"
#include "experiment/result_run.hpp"
#include "report/intervals.hpp"
#include "report/table.hpp"
#include "run/reporter_table.hpp"

namespace inferbench::experiment {

namespace {

std::vector<ifb_field> axis_fields(const std::vector<std::pair<std::string, std::string>>& axes) {
  std::vector<ifb_field> out;
  for (const auto& [name, value] : axes)
    out.push_back({plugin::str(name), plugin::str(value)});
  return out;
}

/// The views of the points for the end of the table. `from` must outlive the object.
class table_points {
 public:
  table_points(const arrangement& from, const std::vector<figure_means>& figures) {
    const std::size_t count = from.points.size();
    axes_.reserve(count);
    runs_.reserve(count);
    means_.reserve(count);
    facts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const swept_point& point = from.points[i];
      const auto& axes = axes_.emplace_back(axis_fields(point.axes));
      const auto& runs = runs_.emplace_back(point.runs.begin(), point.runs.end());
      const auto means = means_.emplace_back(figures[i].means()).views();
      ifb_table_point view{};
      view.struct_size = sizeof view;
      view.axes = axes.data();
      view.axis_count = axes.size();
      view.runs = runs.data();
      view.run_count = runs.size();
      view.figures = means.data();
      view.figure_count = static_cast<std::uint32_t>(means.size());
      view.figure_stride = sizeof(ifb_interval);
      view.facts_json = plugin::str(facts_.emplace_back(facts_of_point(point)));
      views_.push_back(view);
    }
  }
  [[nodiscard]] const std::vector<ifb_table_point>& all() const noexcept { return views_; }

 private:
  static std::string facts_of_point(const swept_point& of) {
    ifb::json_writer out;
    out.begin_object();
    if (!of.label.empty()) out.member("label", of.label);
    out.key("serve_parameters");
    out.raw(parameter_json(of.serve));
    out.key("bench_parameters");
    out.raw(parameter_json(of.bench));
    out.end_object();
    return out.take();
  }

  std::vector<std::vector<ifb_field>> axes_;
  std::vector<std::vector<std::uint32_t>> runs_;
  std::vector<report::interval_list> means_;
  std::vector<std::string> facts_;
  std::vector<ifb_table_point> views_;
};

/// The runs without repetitions of the same file: a search may visit a level twice.
std::vector<finished_run> distinct_runs(const std::vector<finished_run>& all) {
  std::vector<finished_run> out;
  std::set<std::filesystem::path> files;
  for (const finished_run& each : all)
    if (each.file.empty() || files.insert(each.file.lexically_normal()).second) out.push_back(each);
  return out;
}

std::string facts_of_table(const arrangement& of, std::size_t runs, bool complete) {
  ifb::json_writer out;
  out.begin_object();
  out.member("runs", runs);
  out.member("points", of.points.size());
  out.member("complete", complete);
  out.end_object();
  return out.take();
}

std::string name_of_table(const std::filesystem::path& folder) {
  const std::filesystem::path whole = folder.lexically_normal();
  const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return name.empty() || name == "." || name == ".." ? "sweep" : name;
}

}  // namespace

bool report_table(const outcome& what, const std::string& command,
                  const std::vector<options::plugin_choice>& reporters,
                  const config::server& server, base::log& log, base::output& out) {
  if (reporters.empty()) return true;
  const std::vector<finished_run> runs = distinct_runs(what.runs);
  if (runs.empty()) {
    log.warning("no run has a result, so there is nothing for the reporters");
    return true;
  }
  const arrangement places = arranged(runs);
  run::table_beginning about;
  about.name = name_of_table(what.folder);
  about.command = command;
  for (const swept_parameter& each : places.axes)
    about.axes.push_back(run::axis_view(
        each.name.c_str(), each.numeric ? each.unit.c_str() : nullptr, each.title.c_str()));
  about.run_count = runs.size();
  about.started_unix_ns = began_unix_ns(runs.front());
  for (const finished_run& each : runs)
    about.started_unix_ns = std::min(about.started_unix_ns, began_unix_ns(each));
  run::reporter_table table(about, reporters, server, log, out);
  table.begin();

  std::vector<figure_means> figures(places.points.size());
  std::int64_t finished_unix_ns = about.started_unix_ns;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const result_run one = result_run_of(runs[i]);
    const std::size_t point = places.point_of[i];
    report::fanout lanes(table.run_targets({.index = static_cast<std::uint32_t>(i),
                                            .point = static_cast<std::uint32_t>(point),
                                            .source = runs[i].file.string(),
                                            .label = places.labels[i],
                                            .axes = places.points[point].axes}),
                         log);
    lanes.begin(one.run());
    // A reporter that fails here is dropped, and finish() of the table says so.
    (void)lanes.finish(one.summary());
    figures[point].add(one.figures.metrics());
    finished_unix_ns = std::max(finished_unix_ns, one.finished_unix_ns);
  }

  const table_points points(places, figures);
  return table.finish(
      {.interrupted = what.interrupted,
       .finished_unix_ns = finished_unix_ns,
       .points = points.all(),
       .facts_json = facts_of_table(places, runs.size(), what.all_made && !what.interrupted)});
}

}  // namespace inferbench::experiment
