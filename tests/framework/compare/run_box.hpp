// A temporary folder with result files for the tests of comparisons.
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::compare {

struct written_run {
  double throughput = 100;  // output tokens per second
  double ttft_ms = 50;      // median; the 99th percentile is twice as long
  double tpot_ms = 10;      // median
  int completed = 20;
  int failed = 0;
  int second = 1;         // of the start
  std::string more = {};  // further members, each after ", "
};

/// The text of a result file in upstream's format.
inline std::string result_text(const written_run& of) {
  return fmt::format(
      R"({{"date": "20261120-0630{:02}", "backend": "openai", "endpoint_type": "openai", )"
      R"("model_id": "m", "num_prompts": 20, "request_rate": "inf", "max_concurrency": 4, )"
      R"("duration": 1.0, "completed": {}, "failed": {}, "request_throughput": {}, )"
      R"("output_throughput": {}, "mean_ttft_ms": {}, "median_ttft_ms": {}, "std_ttft_ms": 1.0, )"
      R"("p99_ttft_ms": {}, "mean_tpot_ms": {}, "median_tpot_ms": {}, "std_tpot_ms": 1.0, )"
      R"("p99_tpot_ms": {}{}}})",
      of.second, of.completed, of.failed, of.throughput / 10, of.throughput, of.ttft_ms, of.ttft_ms,
      2 * of.ttft_ms, of.tpot_ms, of.tpot_ms, of.tpot_ms, of.more);
}

class run_box {
 public:
  std::string write(const std::string& name, const written_run& of = {}) const {
    return folder.write(name, result_text(of));
  }
  /// `text` without the path of the folder.
  [[nodiscard]] std::string relative(std::string text) const {
    const std::string path = folder.path() + "/";
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
      text.erase(at, path.size());
    return text;
  }
  /// The text of the base::error that `what` throws; empty if it throws none.
  template <typename function>
  [[nodiscard]] std::string refusal(function&& what) const {
    try {
      what();
    } catch (const base::error& why) {
      return relative(why.what());
    }
    return {};
  }

  support::temporary_folder folder;
  base::log log{base::log_level::off};
};

}  // namespace inferbench::compare
