// Compares groups of runs by the statistics of comparison/, and writes the comparison as text and
// as JSON. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/declared_figure.hpp"
#include "compare/run_groups.hpp"
#include "compare/run_settings.hpp"
#include "comparison/comparison.hpp"

namespace inferbench::compare {

struct comparison_rules {
  std::vector<declared_figure> declared;  // empty: the usual figures that all runs have
  double same_within = 0.02;
  std::optional<std::size_t> blocks;  // blocks_by_start(); nullopt: blocks_by_place()
};

struct group_comparison {
  comparison::comparison_result result;
  std::vector<setting_difference> differences;
  std::vector<std::string> doubts;  // sentences that the reader must know
  std::vector<std::string> notes;   // sentences about what was left out
  bool lacks_figures = false;       // a run does not have all usual figures
  bool fails_more = false;          // a group fails more requests than the base
};

/// The first group is the base. Throws base::error with the file for a run without a declared
/// figure (a run that completed no request has no latencies, and the result says so), if the runs
/// have none of the usual figures, and if the blocks of `rules` do not fit.
[[nodiscard]] group_comparison compare_groups(std::span<const run_group> groups,
                                              const comparison_rules& rules);

/// The lines for the console: groups, settings, doubts, and the comparison; the conclusion is last.
[[nodiscard]] std::string text_of(const group_comparison& what, std::span<const run_group> groups);

/// The exit status of --gate: comparison::gate_status(), and 6 in place of 0 if a group fails more
/// requests than the base, or if a usual figure was not compared.
[[nodiscard]] int gate_status(const group_comparison& what) noexcept;
/// The line that says this status and its reason.
[[nodiscard]] std::string gate_text(const group_comparison& what);

/// An object with the comparison, the groups, their settings and doubts; docs/compare.md describes
/// it. `command`: the command line of the user, without secrets.
[[nodiscard]] std::string json_of(const group_comparison& what, std::span<const run_group> groups,
                                  const std::string& command);

}  // namespace inferbench::compare
