// Runs for the tests of tables, from the texts of their parameters and results.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "experiment/experiment.hpp"
#include "pytext/python_json.hpp"

namespace inferbench::experiment {

inline sweep::item item_of(const std::string& json) {
  return sweep::item(pytext::read_json_node(json, "items.json"));
}

/// A run with the file results/night/FOLDER/run=N.json.
inline finished_run finished(const std::string& serve, const std::string& bench, int run_number,
                             const std::string& result = "{}",
                             const std::string& folder = "BENCH--x") {
  finished_run out;
  out.serve = item_of(serve);
  out.bench = item_of(bench);
  out.run_number = run_number;
  out.file = "results/night/" + folder + "/run=" + std::to_string(run_number) + ".json";
  out.result = std::make_shared<ifb::json_document>(pytext::read_json_document(result, "run.json"));
  return out;
}

}  // namespace inferbench::experiment
