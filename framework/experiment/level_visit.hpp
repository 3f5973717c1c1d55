// The visit of one combination of server and benchmark parameters by `sweep serve_workload` or
// `sweep serve_sla`: a search over levels (sweep/workload.hpp, sweep/sla_search.hpp), each of which
// is a combination with a folder of its own, or a certified search, which is one run of `inferbench
// find`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiment/combination.hpp"
#include "experiment/experiment.hpp"
#include "experiment/experiment_folder.hpp"
#include "experiment/run_series.hpp"
#include "sweep/level.hpp"
#include "sweep/request.hpp"
#include "sweep/sla_criteria.hpp"

namespace inferbench::experiment {

/// The parts of the experiment that a visit uses. The references are borrowed.
struct visit_tools {
  const sweep::plan& plan;
  experiment_folder& folder;
  run_series& series;
  sweep::tell_line tell;
};

class level_visit {
 public:
  /// `number` counts the combinations from 1 to `of_all`. The items are borrowed.
  level_visit(visit_tools with, const sweep::item& serve, const sweep::item& bench,
              std::size_t number, std::size_t of_all)
      : with_(std::move(with)), serve_(serve), bench_(bench), number_(number), of_all_(of_all) {}

  /// Whether all runs of the visit have results already. Prints and makes nothing.
  [[nodiscard]] bool is_complete();
  /// Makes the missing runs, prints what it does, and returns all runs in the order of summary.csv;
  /// nothing in a dry run. Throws what run_series::run() and the searches throw.
  [[nodiscard]] std::vector<finished_run> carried_out();

 private:
  enum class way : std::uint8_t { look, go };

  std::vector<sweep::run_object> visit(way how);
  std::vector<sweep::run_object> explore(way how);
  std::vector<sweep::run_object> search(way how);
  std::vector<sweep::run_object> search(way how, const sweep::sla_set& set,
                                        const std::string& base);
  /// A certified search for each set of criteria.
  std::vector<sweep::run_object> certify(way how, const std::string& base);
  sweep::level_runs run(way how, const combination& what, std::int64_t level);
  /// The levels that have all their results and that the search with the result file `search` may
  /// know in advance.
  std::map<std::int64_t, std::vector<sweep::run_object>> levels_known_to(const std::string& search,
                                                                         const std::string& base);
  /// All repetitions; nothing if a result is missing.
  std::vector<sweep::run_object> results_of(const combination& what);
  [[nodiscard]] combination level_below(const std::string& base, std::int64_t level) const;
  sweep::tell_line tell_in(way how) const;

  visit_tools with_;
  const sweep::item& serve_;
  const sweep::item& bench_;
  std::size_t number_;
  std::size_t of_all_;
  std::map<const ifb::json_document*, finished_run> runs_;  // by result
};

}  // namespace inferbench::experiment
