#include "experiment/figure_means.hpp"

#include <cmath>
#include <limits>

#include "confidence/repetitions.hpp"

namespace inferbench::experiment {

void figure_means::add(std::span<const ifb_metric> of_run) {
  const report::interval_list figures = report::figures_of_one_run(of_run);
  for (const ifb_interval& each : figures.views()) {
    if (std::isnan(each.value)) continue;
    const std::string key = std::string(each.name) + ' ' + each.statistic;
    const auto [at, is_new] = places_.try_emplace(key, figures_.size());
    if (is_new) figures_.push_back({each.name, each.statistic, each.unit, {}});
    figures_[at->second].values.push_back(each.value);
  }
}

report::interval_list figure_means::means() const {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  report::interval_list out;
  for (const repeated_figure& each : figures_) {
    const confidence::repeated_mean found = confidence::mean_of_repetitions(each.values);
    out.add({.name = each.name,
             .statistic = each.statistic,
             .unit = each.unit,
             .value = found.mean,
             .low = found.half_width ? found.mean - *found.half_width : -unlimited,
             .high = found.half_width ? found.mean + *found.half_width : unlimited,
             .confidence = found.half_width ? confidence::repetition_level : 0,
             .observations = found.count});
  }
  return out;
}

}  // namespace inferbench::experiment
