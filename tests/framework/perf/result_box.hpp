// A folder with results for the tests of the converter.
#pragma once

#include <string>

#include "perf/result_tables.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::perf {

inline constexpr const char* latency_result =
    R"({"avg_latency": 1, "percentiles": {"10": 1, "25": 1, "50": 2, "75": 1, "90": 1, "99": 3.5}})";

/// A folder with results of a test.
class result_box {
 public:
  void add(const std::string& name, const std::string& result,
           const std::string& commands = R"({"gpu_type": "A"})") const {
    folder.write("r/" + name + ".json", result);
    folder.write("r/" + name + ".commands", commands);
  }
  [[nodiscard]] result_tables tables() const { return read_results(folder.path("r")); }
  [[nodiscard]] std::string refusal() const {
    return support::error_text([&] { return read_results(folder.path("r")); });
  }

  support::temporary_folder folder;
};

}  // namespace inferbench::perf
