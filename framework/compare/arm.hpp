// One of the two sides that `compare --run` measures: the TOML files of `inferbench run`, checked
// before anything is started.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/declared_figure.hpp"
#include "config/catalog.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "sweep/request.hpp"

namespace inferbench::compare {

struct arm {
  std::string name;    // of the files without folders, for people: "base.toml"
  std::string folder;  // of the results, below that of the comparison: "1-base"
  // The command of a run without the place of its result: a new salt for each run, so that the
  // server's prefix cache has no prompt of an earlier run; the seed stays, so that the lengths of
  // the prompts and the times of the requests are the same in all runs.
  sweep::plan runs;
  std::string digest;     // changes if a setting of the files changes; has no secrets
  config::server server;  // which the runs measure
  std::vector<std::string> warnings;
};

/// Makes a catalog that has not been told where to look: each reading of a file tells it.
using new_catalog = std::function<std::unique_ptr<config::catalog>()>;

/// `files`: a file, or several with "," between them that are laid one over the other. `number`: 1
/// or 2. `sets`: values of --set for both arms. `declared`: the figures that the runs must have;
/// the runs also compute the percentiles of these figures that the files do not name. `program`:
/// the first word of the command. Throws base::error for files that `inferbench run` would refuse,
/// that have a table [sweep], or whose run repeats itself (run.num-runs).
[[nodiscard]] arm arm_of(std::string_view files, int number, const std::vector<std::string>& sets,
                         std::span<const declared_figure> declared, const std::string& program,
                         const options::environment& env, const new_catalog& plugins);

}  // namespace inferbench::compare
