// Figures for tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <inferbench-figures/figures.hpp>

namespace figures::samples {

inline point plain_point(double x, double y) {
  return {.x = x, .y = y, .low = y, .high = y, .label = {}, .detail = {}};
}

/// A curve through these places, without bands.
inline curve plain_curve(const std::string& label,
                         const std::vector<std::pair<double, double>>& places) {
  curve out;
  out.label = label;
  for (const auto& [x, y] : places)
    out.points.push_back(plain_point(x, y));
  return out;
}

/// A curve of six rising points with bands; `shift` moves it to the right.
inline curve banded_curve(const std::string& label, double shift) {
  curve out;
  out.label = label;
  for (int i = 1; i <= 6; ++i) {
    const double y = 40 + 3.0 * i * i;
    out.points.push_back({.x = 200 * i + shift,
                          .y = y,
                          .low = y * 0.9,
                          .high = y * 1.1,
                          .label = {},
                          .detail = "mean of 3 runs"});
  }
  return out;
}

/// A small figure of one panel with these curves.
inline figure figure_of(std::vector<curve> curves) {
  figure out;
  out.title = "ttft against throughput";
  out.x_label = "throughput";
  out.y_label = "ttft";
  out.height_inches = 3;
  out.dpi = 96;
  out.panels.push_back({.title = {}, .row = 0, .column = 0, .curves = std::move(curves)});
  return out;
}

/// Points of a sweep and their Pareto frontier, whose points have labels; the last is unstable.
inline figure pareto_figure() {
  curve all, frontier;
  all.label = "All runs";
  all.line = false;
  all.grey = true;
  frontier.label = "Pareto frontier";
  for (int i = 0; i < 6; ++i) {
    const double x = 80 / (1 + 0.6 * i), y = 300 + 250 * i - 8 * i * i;
    point best = plain_point(x, y);
    best.label = "max_concurrency=" + std::to_string(1 << i) + "\ngpu_count=1.0";
    best.weak = i == 5;
    all.points.push_back(plain_point(x, y));
    all.points.push_back(plain_point(x * 0.93, y * 0.9));
    frontier.points.insert(frontier.points.begin(), best);
  }
  figure out = figure_of({all, frontier});
  out.title = "Pareto frontier";
  out.x_label = "Tokens/s/user";
  out.y_label = "Tokens/s/GPU";
  return out;
}

}  // namespace figures::samples
