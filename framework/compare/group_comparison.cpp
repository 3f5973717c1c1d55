#include "compare/group_comparison.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "compare/group_doubts.hpp"
#include "compare/run_blocks.hpp"
#include "comparison/comparison_json.hpp"
#include "comparison/comparison_text.hpp"
#include "comparison/input.hpp"

namespace inferbench::compare {

namespace {

constexpr int gate_cannot_tell = 6;

bool lacks(const measured_run& run, const declared_figure& figure) {
  return !run.completed_nothing() && !run.figures.contains(figure.name);
}

/// The first run that lacks the figure; nullptr if there is none.
const measured_run* first_without(std::span<const run_group> groups,
                                  const declared_figure& figure) {
  for (const run_group& group : groups)
    for (const measured_run& run : group.runs)
      if (lacks(run, figure)) return &run;
  return nullptr;
}

[[noreturn]] void refuse_without(const measured_run& run, const std::string& figure) {
  const std::string names = comparable_names(run.figures);
  throw base::error("the run has no " + figure,
                    names.empty() ? "it has no figure that can be compared" : "it has " + names,
                    {run.file.string(), 0, 0});
}

/// The declared figures, or the usual figures that all runs have.
std::vector<declared_figure> figures_for(std::span<const run_group> groups,
                                         const std::vector<declared_figure>& declared,
                                         std::vector<std::string>& notes) {
  for (const declared_figure& each : declared)
    if (const measured_run* without = first_without(groups, each))
      refuse_without(*without, each.name);
  if (!declared.empty()) return declared;
  std::vector<declared_figure> out;
  std::string left_out;
  const measured_run* without = nullptr;
  for (declared_figure& each : usual_figures(groups.front().runs.front().of)) {
    if (const measured_run* found = first_without(groups, each)) {
      without = found;
      left_out += (left_out.empty() ? "" : ", ") + each.name;
    } else {
      out.push_back(std::move(each));
    }
  }
  if (out.empty()) refuse_without(*without, left_out);
  if (!left_out.empty())
    notes.push_back(fmt::format("not compared, because {} does not have it: {}",
                                without->file.string(), left_out));
  return out;
}

comparison::compared_group compared(const run_group& group,
                                    const std::vector<declared_figure>& figures) {
  comparison::compared_group out{group.name, {}};
  for (const measured_run& run : group.runs) {
    comparison::compared_run& one = out.runs.emplace_back();
    one.name = run.file.string();
    for (const declared_figure& figure : figures) {
      const auto at = run.figures.find(figure.name);
      one.values.push_back(at == run.figures.end() ? std::numeric_limits<double>::quiet_NaN()
                                                   : at->second);
    }
  }
  return out;
}

comparison::compared_candidate candidate_of(const run_group& base, const run_group& group,
                                            const std::vector<declared_figure>& figures,
                                            std::vector<std::string>& notes) {
  comparison::compared_candidate out{compared(group, figures), {}};
  found_blocks found = blocks_by_place(base, group);
  out.blocks = std::move(found.blocks);
  for (std::string& each : found.notes)
    notes.push_back(std::move(each));
  return out;
}

void write_texts(ifb::json_writer& out, const char* name, const std::vector<std::string>& texts) {
  out.key(name);
  out.begin_array();
  for (const std::string& each : texts)
    out.string(each);
  out.end_array();
}

void write_number(ifb::json_writer& out, const char* name, const std::optional<double>& value) {
  out.key(name);
  if (value)
    out.number(*value);
  else
    out.null();
}

void write_run(ifb::json_writer& out, const measured_run& run) {
  out.begin_object();
  out.member("file", run.file.string());
  out.member("started_unix_ns", run.started_unix_ns);
  write_number(out, "completed", run.completed);
  write_number(out, "failed", run.failed);
  write_number(out, "prefix_cache_share", run.cached_share);
  out.member("interrupted", run.interrupted);
  out.end_object();
}

void write_groups(ifb::json_writer& out, std::span<const run_group> groups) {
  out.key("groups");
  out.begin_array();
  for (const run_group& group : groups) {
    out.begin_object();
    out.member("name", group.name);
    out.member("benchmark", name_of(group.runs.front().of));
    out.key("runs");
    out.begin_array();
    for (const measured_run& run : group.runs)
      write_run(out, run);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

void write_differences(ifb::json_writer& out, std::span<const setting_difference> differences) {
  out.key("settings_that_differ");
  out.begin_array();
  for (const setting_difference& each : differences) {
    out.begin_object();
    out.member("name", each.name);
    out.key("values");
    out.begin_array();
    for (const std::vector<std::string>& of_group : each.values) {
      out.begin_array();
      for (const std::string& value : of_group)
        out.raw(value);
      out.end_array();
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

}  // namespace

group_comparison compare_groups(std::span<const run_group> groups, const comparison_rules& rules) {
  group_comparison out;
  const std::vector<declared_figure> figures = figures_for(groups, rules.declared, out.notes);
  out.lacks_figures = rules.declared.empty() &&
                      figures.size() < usual_figures(groups.front().runs.front().of).size();
  comparison::comparison_input input;
  input.settings.same_within = rules.same_within;
  for (const declared_figure& each : figures)
    input.metrics.push_back({each.name, each.title, each.unit, each.higher_is_better});
  const run_group& base = groups.front();
  input.base = compared(base, figures);
  if (rules.blocks && groups.size() != 2)
    throw base::error(fmt::format("blocks have two groups, not {}", groups.size()),
                      "compare two groups, or leave out --blocks", {"--blocks", 0, 0});
  for (const run_group& each : groups.subspan(1))
    input.candidates.push_back(
        rules.blocks ? comparison::compared_candidate{compared(each, figures),
                                                      blocks_by_start(base, each, *rules.blocks)}
                     : candidate_of(base, each, figures, out.notes));
  out.result = comparison::compare(input);
  out.differences = differing_settings(groups);
  out.doubts = doubts_of(groups, rules.same_within);
  out.fails_more = fails_more(groups, rules.same_within);
  return out;
}

std::string text_of(const group_comparison& what, std::span<const run_group> groups) {
  std::string out = groups_text(groups);
  out += differences_text(groups, what.differences);
  for (const std::string& each : what.doubts)
    out += "Warning: " + base::one_line(each) + "\n";
  for (const std::string& each : what.notes)
    out += "Note: " + base::one_line(each) + "\n";
  out += "\n";
  for (const std::string& line : comparison::comparison_lines(what.result))
    out += line + "\n";
  return out;
}

int gate_status(const group_comparison& what) noexcept {
  const int out = comparison::gate_status(what.result);
  return out == 0 && (what.fails_more || what.lacks_figures) ? gate_cannot_tell : out;
}

std::string gate_text(const group_comparison& what) {
  if (gate_status(what) == comparison::gate_status(what.result))
    return comparison::gate_line(what.result);
  if (what.lacks_figures)
    return fmt::format(
        "Gate: exit status {}, because a run lacks usual figures; --metric declares the figures "
        "that count",
        gate_cannot_tell);
  return fmt::format(
      "Gate: exit status {}, because a group fails more requests than {}, which its other figures "
      "do not show",
      gate_cannot_tell, what.result.base);
}

std::string json_of(const group_comparison& what, std::span<const run_group> groups,
                    const std::string& command) {
  ifb::json_writer out;
  out.begin_object();
  out.member("command", command);
  write_groups(out, groups);
  write_differences(out, what.differences);
  write_texts(out, "doubts", what.doubts);
  write_texts(out, "notes", what.notes);
  out.member("gate_status", gate_status(what));
  out.key("comparison");
  out.raw(comparison::comparison_json(what.result));
  out.end_object();
  return out.take();
}

}  // namespace inferbench::compare
