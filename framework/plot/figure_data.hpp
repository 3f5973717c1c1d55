// The contents of a figure of `sweep plot`, without any drawing: facets, curves and points.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plot/row_binner.hpp"
#include "plot/row_filter.hpp"
#include "plot/run_table.hpp"

namespace inferbench::plot {

/// Keys and the texts of their values.
using group_key = std::vector<std::pair<std::string, std::string>>;

struct point {
  double x = 0;
  double y = 0;              // the mean of the runs with this x
  std::optional<double> sd;  // sample standard deviation; none for one run
  std::size_t n = 1;         // number of runs
  std::size_t unstable = 0;  // of them: runs that offered more than the server served
};

struct curve {
  group_key by;
  /// The place of the value of the first, second and third curve key among all values in the
  /// figure. With more than three keys only the first number is used: the place of the combination.
  std::array<int, 3> ranks{};
  std::vector<point> points;  // in the order of x
};

struct facet {
  std::size_t row_place = 0, column_place = 0;  // in the grid, from 0
  group_key row, column;                        // empty without such keys
  std::vector<curve> curves;
};

struct figure_data {
  std::string x, y;                   // names of the variables
  std::string scale_x, scale_y;       // as given; empty: linear
  std::size_t rows = 1, columns = 1;  // of the grid
  std::size_t runs = 0;               // drawn
  std::size_t left_out = 0;           // runs without a finite x and y
  std::size_t uncompleted = 0;        // runs that are not drawn because they completed no request
  std::vector<std::string> mixed{};   // parameters that differ between the runs of a point
  /// Runs of one combination are in one curve, and no two runs are one point: x is no parameter.
  bool repetitions_apart = false;
  std::vector<std::string> parameters{};  // numbers that differ between the runs that are drawn
  std::vector<facet> facets;              // row by row; an empty place of the grid has no facet
  [[nodiscard]] std::size_t points() const noexcept;
};

/// The contents of a figure; from the arguments.
struct figure_spec {
  std::string x = "total_token_throughput";
  std::string y = "median_ttft_ms";
  std::string scale_x, scale_y;
  std::vector<std::string> row_by, column_by, curve_by;
  std::vector<row_filter> filters;
  std::vector<row_binner> binners;
  bool error_bars = true;
};

/// The figure of these runs: checks the columns, filters, bins, groups and aggregates. Changes the
/// values of `rows` that a binner rounds. A run that completed no request is drawn only if x or y
/// is a number of requests (`completed` or `failed`). A figure without a point means that no run is
/// left. Throws base::error, with the flag as position, for an unknown column, for a run without a
/// key of a row or column, and for values of x and y that are not numbers.
[[nodiscard]] figure_data figure_of(const figure_spec& spec, std::vector<run_row> rows);

}  // namespace inferbench::plot
