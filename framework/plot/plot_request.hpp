// The arguments of `sweep plot`, `sweep plot_pareto` and `sweep boundary`, checked.
#pragma once

#include <span>
#include <string>

#include "plot/boundary.hpp"
#include "plot/figure_data.hpp"
#include "plot/pareto.hpp"

namespace inferbench::plot {

/// The files that a command writes for its figures.
struct picture_formats {
  bool png = true, svg = false, html = true;
};

/// The options that the three commands have in common.
struct common_request {
  std::string folder;  // of the experiment
  std::string help;    // not empty: the caller prints this text and stops
  picture_formats formats;
  bool save_data = false;
  bool dry_run = false;
  double height_inches = 6.4;  // of a facet
  int dpi = 300;
};

/// The beginning of the names of the files, if the user does not say.
inline constexpr const char* usual_figure_name = "FIGURE";

struct curves_request : common_request {
  std::string figure_dir;  // as given; empty: the folder of the experiment
  std::string figure_name = usual_figure_name;
  std::vector<std::string> figure_by;
  figure_spec figure;
};

struct pareto_request : common_request {
  pareto_spec pareto;
};

struct boundary_request : common_request {
  boundary_spec boundary;
};

/// `args`: the arguments after the name of the command. Each throws options::usage_error for
/// arguments that cannot be read, and base::error, with the flag as position, for filters, binners
/// and scales.
[[nodiscard]] curves_request parse_curves(std::span<const std::string> args);
[[nodiscard]] pareto_request parse_pareto(std::span<const std::string> args);
[[nodiscard]] boundary_request parse_boundary(std::span<const std::string> args);

}  // namespace inferbench::plot
