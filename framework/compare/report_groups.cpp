#include "compare/report_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>

#include "experiment/experiment.hpp"
#include "experiment/figure_means.hpp"
#include "experiment/result_run.hpp"
#include "metrics/report.hpp"
#include "plugin/instance.hpp"
#include "records/journal_reader.hpp"
#include "report/fanout.hpp"
#include "report/table.hpp"
#include "run/replayed_run.hpp"
#include "run/reporter_table.hpp"

namespace inferbench::compare {

namespace {

constexpr const char* group_axis = "group";

std::string json_text(const std::string& text) {
  std::string out;
  ifb::append_json_string(out, text);
  return out;
}

/// "base/", or "base/ 2" for the second of several runs.
std::string label_of(const run_group& group, std::size_t run) {
  return group.runs.size() == 1 ? group.name : fmt::format("{} {}", group.name, run + 1);
}

/// Reports a run to its lanes, and adds its figures to the means of its group.
void report_one(const measured_run& what, std::vector<report::target> to,
                experiment::figure_means& means, base::log& log) {
  if (what.result == nullptr) {
    records::journal_reader reader(what.file);
    const run::results::final_result done =
        run::replay_run(reader, what.file, reader.run(), std::move(to), log);
    means.add(done.figures.metrics());
    return;
  }
  const experiment::result_run one =
      experiment::result_run_of(experiment::finished_run{{}, {}, 0, what.file, what.result});
  report::fanout lanes(std::move(to), log);
  lanes.begin(one.run());
  // A reporter that fails here is dropped, and finish() of the table says so.
  (void)lanes.finish(one.summary());
  means.add(one.figures.metrics());
}

/// The views of the points for the end of the table. `groups` must outlive the object.
class group_points {
 public:
  group_points(std::span<const run_group> groups,
               const std::vector<experiment::figure_means>& means) {
    std::uint32_t run = 0;
    parts_.reserve(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      part& of = parts_.emplace_back();
      of.axis_json = json_text(groups[i].name);
      of.axis = {plugin::str(group_axis), plugin::str(of.axis_json)};
      for (std::size_t k = 0; k < groups[i].runs.size(); ++k)
        of.runs.push_back(run++);
      of.figures = means[i].means();
      of.facts = "{\"label\": " + of.axis_json + "}";
      ifb_table_point view{};
      view.struct_size = sizeof view;
      view.axes = &of.axis;
      view.axis_count = 1;
      view.runs = of.runs.data();
      view.run_count = of.runs.size();
      view.figures = of.figures.views().data();
      view.figure_count = static_cast<std::uint32_t>(of.figures.views().size());
      view.figure_stride = sizeof(ifb_interval);
      view.facts_json = plugin::str(of.facts);
      views_.push_back(view);
    }
  }
  [[nodiscard]] const std::vector<ifb_table_point>& all() const noexcept { return views_; }

 private:
  struct part {
    std::string axis_json;
    ifb_field axis{};
    std::vector<std::uint32_t> runs;
    report::interval_list figures;
    std::string facts;
  };
  std::vector<part> parts_;
  std::vector<ifb_table_point> views_;
};

std::string facts_of(const compared_groups& what, std::size_t runs) {
  ifb::json_writer out;
  out.begin_object();
  out.member("runs", runs);
  out.member("points", what.groups.size());
  out.member("complete", !what.interrupted);
  out.key("comparison");
  out.raw(what.comparison_json);
  out.end_object();
  return out.take();
}

}  // namespace

bool report_groups(const compared_groups& what, const config::table_reporters& to, base::log& log,
                   base::output& out) {
  if (to.reporters.empty()) return true;
  run::table_beginning about;
  about.name = "comparison";
  about.command = what.command;
  about.axes.push_back(run::axis_view(group_axis, nullptr, "Group"));
  std::int64_t finished_unix_ns = 0;
  for (const run_group& group : what.groups)
    for (const measured_run& each : group.runs) {
      about.started_unix_ns = about.run_count == 0
                                  ? each.started_unix_ns
                                  : std::min(about.started_unix_ns, each.started_unix_ns);
      finished_unix_ns = std::max(finished_unix_ns, each.finished_unix_ns);
      ++about.run_count;
    }
  run::reporter_table table(about, to.reporters, to.server, log, out);
  table.begin();
  std::vector<experiment::figure_means> means(what.groups.size());
  std::uint32_t index = 0;
  for (std::size_t point = 0; point < what.groups.size(); ++point) {
    const run_group& group = what.groups[point];
    for (std::size_t i = 0; i < group.runs.size(); ++i)
      report_one(group.runs[i],
                 table.run_targets({.index = index++,
                                    .point = static_cast<std::uint32_t>(point),
                                    .source = group.runs[i].file.string(),
                                    .label = label_of(group, i),
                                    .axes = {{group_axis, json_text(group.name)}}}),
                 means[point], log);
  }
  const group_points points(what.groups, means);
  return table.finish({.interrupted = what.interrupted,
                       .finished_unix_ns = finished_unix_ns,
                       .points = points.all(),
                       .facts_json = facts_of(what, about.run_count)});
}

}  // namespace inferbench::compare
