// Run objects for the tests of framework/plot, from the text of a summary.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::plot {

/// The table of one summary.json. The folder is removed when the object is destroyed.
struct runs_of {
  explicit runs_of(std::string_view summary) {
    folder.write("summary.json", summary);
    table = run_table::read(folder.path());
  }
  [[nodiscard]] std::vector<run_row> rows() const {
    return {table.rows().begin(), table.rows().end()};
  }

  support::temporary_folder folder;
  run_table table;
};

}  // namespace inferbench::plot
