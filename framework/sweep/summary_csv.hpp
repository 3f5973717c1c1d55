// summary.csv of an experiment.
#pragma once

#include <span>
#include <string>

#include <inferbench/json_reader.hpp>

namespace inferbench::sweep {

/// A row for each run object, in the layout of `pandas.DataFrame.from_records(runs).to_csv()`: an
/// index without a name first, then the union of the keys in the order of their first appearance.
/// Missing cells, null and NaN are empty. A column of whole numbers with empty cells, or with other
/// numbers, consists of floating-point numbers ("5.0"); a column that contains anything else keeps
/// the text of each value. Lines end with "\n". Pure function.
[[nodiscard]] std::string summary_csv(std::span<const ifb::json_value* const> runs);

}  // namespace inferbench::sweep
