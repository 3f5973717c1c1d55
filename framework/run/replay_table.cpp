#include "run/replay_table.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "records/journal_reader.hpp"
#include "report/intervals.hpp"
#include "report/table.hpp"
#include "run/replayed_run.hpp"
#include "run/reporter_table.hpp"
#include "run/resolved.hpp"
#include "run/table_runs.hpp"

namespace inferbench::run {

namespace {

struct reported_run {
  std::uint32_t run = 0;
  std::vector<std::pair<std::string, std::string>> axes;
  report::interval_list figures;
};

std::string command_of(const std::vector<std::filesystem::path>& journals) {
  std::string out = "inferbench report";
  for (const auto& each : journals)
    out += " " + each.string();
  return out;
}

/// The facts of the table: what its runs lack, and what the caller knows.
std::string facts_of(std::size_t runs, std::size_t damaged, std::size_t unfinished,
                     const table_texts& told) {
  ifb::json_writer out;
  out.begin_object();
  out.member("runs", runs);
  out.member("damaged_journals", damaged);
  out.member("unfinished_runs", unfinished);
  for (const auto& [name, json] : told.facts) {
    out.key(name);
    out.raw(json);
  }
  out.end_object();
  return out.take();
}

/// The views of `points` for the end of the table.
class point_views {
 public:
  explicit point_views(const std::vector<reported_run>& points) {
    for (const reported_run& each : points) {
      auto& axes = axes_.emplace_back();
      for (const auto& [name, value] : each.axes)
        axes.push_back({plugin::str(name), plugin::str(value)});
      ifb_table_point view{};
      view.struct_size = sizeof view;
      view.axes = axes.data();
      view.axis_count = axes.size();
      view.runs = &each.run;
      view.run_count = 1;
      view.figures = each.figures.views().data();
      view.figure_count = static_cast<std::uint32_t>(each.figures.views().size());
      view.figure_stride = sizeof(ifb_interval);
      views_.push_back(view);
    }
  }
  [[nodiscard]] const std::vector<ifb_table_point>& all() const noexcept { return views_; }

 private:
  std::vector<std::vector<ifb_field>> axes_;
  std::vector<ifb_table_point> views_;
};

}  // namespace

replay_outcome replay_table(const std::vector<std::filesystem::path>& journals,
                            const std::vector<options::plugin_choice>& reporters,
                            const config::server& server, const description_changes& changes,
                            base::log& log, base::output& printed, const table_texts& told) {
  std::vector<ifb::run_description> descriptions;
  std::string first_name;
  std::int64_t started_unix_ns = 0;
  for (const auto& file : journals) {
    const records::journal_reader reader(file);
    const records::run_information& run = reader.run();
    if (descriptions.empty()) first_name = run.name;
    started_unix_ns =
        descriptions.empty() ? run.started_unix_ns : std::min(started_unix_ns, run.started_unix_ns);
    descriptions.push_back(description_from(run.config_json));
  }
  const std::vector<std::string> labels =
      told.labels.empty() ? labels_of(journals, descriptions) : told.labels;
  const std::vector<table_axis> axes = axes_of(descriptions);
  table_beginning about;
  about.name = table_name(first_name, journals.size());
  about.command = told.command.empty() ? command_of(journals) : told.command;
  for (const table_axis& each : axes)
    about.axes.push_back(axis_view(each.name, each.unit, each.title));
  about.run_count = journals.size();
  about.started_unix_ns = started_unix_ns;
  reporter_table table(about, reporters, server, log, printed);
  table.begin();

  std::vector<reported_run> points;
  bool missed = false;
  std::size_t damaged = 0;
  std::size_t unfinished = 0;
  std::int64_t finished_unix_ns = started_unix_ns;
  for (std::size_t i = 0; i < journals.size(); ++i) {
    records::journal_reader reader(journals[i]);
    records::run_information run = reader.run();
    run.config_json = with_changes(run.config_json, changes);
    const auto index = static_cast<std::uint32_t>(i);
    const auto values = axis_values(axes, descriptions[i]);
    const results::final_result done = replay_run(reader, journals[i], run,
                                                  table.run_targets({.index = index,
                                                                     .point = index,
                                                                     .source = journals[i].string(),
                                                                     .label = labels[i],
                                                                     .axes = values}),
                                                  log);
    points.push_back({index, values, report::figures_of_one_run(done.figures.metrics())});
    missed |= done.thresholds_failed;
    if (reader.damage()) ++damaged;
    if (reader.interrupted()) ++unfinished;
    if (reader.end()) finished_unix_ns = std::max(finished_unix_ns, reader.end()->finished_unix_ns);
  }

  const point_views views(points);
  const bool good =
      table.finish({.finished_unix_ns = finished_unix_ns,
                    .points = views.all(),
                    .facts_json = facts_of(journals.size(), damaged, unfinished, told)});
  return {!good, missed};
}

}  // namespace inferbench::run
