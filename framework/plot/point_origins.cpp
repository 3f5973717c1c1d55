#include "plot/point_origins.hpp"

#include <algorithm>

#include "plot/parameters.hpp"
#include "plot/run_values.hpp"

namespace inferbench::plot {

point_origins::point_origins(const figure_spec& spec) : known_{spec.x, spec.y} {
  for (const std::vector<std::string>* keys : {&spec.row_by, &spec.column_by, &spec.curve_by})
    known_.insert(known_.end(), keys->begin(), keys->end());
}

void point_origins::begin_curve() {
  for (const auto& [x, rows] : points_) {
    joined_ = joined_ || rows.size() > 1;
    // The runs of one file are repetitions.
    if (std::ranges::any_of(rows,
                            [&](const run_row& row) { return row.file != rows.front().file; }))
      append_new(differing_parameters(rows), mixed_);
  }
  points_.clear();
  files_.clear();
}

void point_origins::add(double x, const run_row& row) {
  points_[x].push_back(row);
  all_.push_back(row);
  repeated_ = repeated_ || !files_.insert(row.file).second;
}

void point_origins::finish(figure_data& out) {
  begin_curve();
  out.mixed = mixed_;
  out.repetitions_apart = repeated_ && !joined_;
  if (!out.repetitions_apart) return;
  append_new(differing_parameters(all_), out.parameters);
  // An axis needs numbers.
  std::erase_if(out.parameters, [&](const std::string& key) {
    return std::ranges::none_of(
        all_, [&](const run_row& row) { return number_of(value_of(row, key)).has_value(); });
  });
}

void point_origins::append_new(const std::vector<std::string>& keys,
                               std::vector<std::string>& to) const {
  for (const std::string& key : keys)
    if (std::ranges::none_of(known_, [&](const auto& known) { return same_key(known, key); }) &&
        std::ranges::find(to, key) == to.end())
      to.push_back(key);
}

}  // namespace inferbench::plot
