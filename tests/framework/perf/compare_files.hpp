// Files for the tests of `perf compare`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perf/compare_input.hpp"

namespace inferbench::perf {

/// The file of a folder, ready for a comparison.
inline compared_file file_in(const std::string& folder, const std::string& text) {
  compared_file out = parse_compared_file(text, folder + "/benchmark_results.json");
  find_concurrency(out);
  return out;
}

/// Labelled files; the folders are "a", "b" and so on.
inline std::vector<compared_file> files_with(const std::vector<std::string>& texts) {
  std::vector<compared_file> out;
  for (const std::string& text : texts)
    out.push_back(
        file_in(std::string(1, static_cast<char>('a' + static_cast<int>(out.size()))), text));
  label_files(out);
  return out;
}

/// A row of a serving test with the columns that a comparison reads.
inline std::string serving_row(const std::string& concurrency, const std::string& throughput,
                               const std::string& ttft, const std::string& tpot,
                               const std::string& qps = R"("inf")") {
  return R"({"Test name": "serving_org_tp1_random_128_128", "Model": "org/model",)"
         R"( "Dataset Name": "random", "Input Len": 128, "Output Len": 128, "qps": )" +
         qps + R"(, "# of max concurrency.": )" + concurrency + R"j(, "Output Tput (tok/s)": )j" +
         throughput + R"j(, "P99 TTFT (ms)": )j" + ttft + R"(, "P99": )" + tpot + "}";
}

/// File a of the example in the contract: 12, 16 and 24 requests at once.
inline std::string example_a() {
  return "[" + serving_row("12", "128", "1000", "90") + "," +
         serving_row("16", "150", "1500", "105") + "," + serving_row("24", "160", "2500", "120") +
         "]";
}
/// The same levels with twice the throughput and half the latencies.
inline std::string example_b() {
  return "[" + serving_row("12", "256", "500", "45") + "," +
         serving_row("16", "300", "750", "52.5") + "," + serving_row("24", "320", "1250", "60") +
         "]";
}

}  // namespace inferbench::perf
