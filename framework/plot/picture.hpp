// Turns the data of figures into pictures of the figures library: labels, colours, texts.
#pragma once

#include <string>
#include <vector>

#include <inferbench-figures/figures.hpp>

#include "plot/figure_data.hpp"
#include "plot/pareto.hpp"

namespace inferbench::plot {

/// The scale that a name of --scale-x or --scale-y means; an empty name is linear. Throws
/// base::error, with `flag` as position, that lists the known names.
[[nodiscard]] figures::scale scale_of(const std::string& name, const std::string& flag);

/// `title`: the heading on the page.
[[nodiscard]] figures::figure picture_of(const figure_data& data, const std::string& title);
[[nodiscard]] figures::figure picture_of(const pareto_data& data, const std::string& title);

/// The number of runs behind the points of a figure: "3 points of 9 runs, 3 runs for each point".
[[nodiscard]] std::string counts_of(const figure_data& data);

/// The facts that a reader of the points must know: how users were counted, and what labels do not
/// show.
[[nodiscard]] std::vector<std::string> pareto_notes(const pareto_data& data);

/// A line for each point of the frontier: its values, its label, the number of runs of its
/// combination, and whether the server kept up.
[[nodiscard]] std::vector<std::string> frontier_lines(const pareto_data& data);

}  // namespace inferbench::plot
