// How several runs are named and arranged in a table. Pure functions.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/run_description.hpp>

namespace inferbench::run {

/// A label for each run: the label that the run has (--label) or, if it has none, the file name of
/// its journal without ending. Runs with the same label are named by their journals, with the
/// folders that are needed to tell them apart ("a/run", "b/run"); a journal that is named twice
/// gets a number
/// ("run", "run (2)"). Labels are unique and one line.
[[nodiscard]] std::vector<std::string> labels_of(
    std::span<const std::filesystem::path> journals,
    std::span<const ifb::run_description> descriptions);

/// A quantity by which runs can be arranged. The texts are literals.
struct table_axis {
  const char* name;
  const char* unit;
  const char* title;
  std::optional<double> (*value)(const ifb::run_description&);
};

/// The settings of the load that differ between the runs: the limit of concurrency and the request
/// rate, if at least two runs have different finite values.
[[nodiscard]] std::vector<table_axis> axes_of(std::span<const ifb::run_description> descriptions);

/// The values of a run on `axes`, each with the name of the axis and the value as JSON. An axis
/// without a finite value for the run is left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> axis_values(
    std::span<const table_axis> axes, const ifb::run_description& of);

/// The name of a table, from the name of its first run: "inferbench-20250101-120000-17-and-2-more".
[[nodiscard]] std::string table_name(std::string_view first_run, std::size_t runs);

}  // namespace inferbench::run
