// The arguments of `perf compare`, checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/environment.hpp"

namespace inferbench::perf {

/// The largest latencies that a user accepts, in milliseconds, and the tolerance above them in per
/// cent. A value passes if it is at most limit * (1 + slack / 100).
struct compared_limits {
  double ttft_ms = 3000;
  double tpot_ms = 100;
  double ttft_slack_percent = 5;
  double tpot_slack_percent = 5;

  [[nodiscard]] double ttft_with_slack() const noexcept {
    return ttft_ms * (1 + ttft_slack_percent / 100);
  }
  [[nodiscard]] double tpot_with_slack() const noexcept {
    return tpot_ms * (1 + tpot_slack_percent / 100);
  }
};

struct compare_request {
  std::string help;                // not empty: the caller prints this text and stops
  std::vector<std::string> files;  // at least one
  bool debug = false;              // a column with the name of the test for each file
  bool plot = true;
  std::string x_axis;      // a title of comparison_info_columns()
  bool medians = false;    // medians and not 99th percentiles
  compared_limits limits;  // finite numbers
  std::string csv_folder;  // empty: no CSV
  std::string excel_file;  // empty: no Excel file
};

/// `args`: the arguments after the name of the command. The rules are those of upstream's parser:
/// "--name=value" and "--name value" are equal, a unique prefix of a name is the name, and of
/// several values the last counts, except for --file, which is repeatable and whose short form is
/// -f; "_" means "-" in names. The variable VLLM_COMPARE_DISABLE_EXCEL with the value 1 leaves out
/// the Excel file, also with --excel-out. Throws options::usage_error.
[[nodiscard]] compare_request parse_compare(std::span<const std::string> args,
                                            const options::environment& env);

}  // namespace inferbench::perf
