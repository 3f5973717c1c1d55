// The result file of vLLM's benchmark_serving_structured_output: json.dump(results, indent=4).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/run_description_json.hpp>

#include "answer.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace structured_output {

struct result {
  const ifb::run_description& run;
  const reporters::figures& found;
  const reporters::json_value& facts;         // the facts of the summary
  const std::vector<const answer*>& answers;  // in the order of the schedule
  std::optional<double> rate;                 // correct_rate()
  bool details = false;                       // outputs with schema and structured
};

/// Writes the file in pieces, without a line ending at its end, as the script does.
void write_result(const result& of, const std::function<void(std::string_view)>& out);

}  // namespace structured_output
