// The JSON of results and of PyTorch's benchmark dashboard, in the text form of Python.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// The text of a result file: json.dumps(value, indent=indent), without a line break at the end.
[[nodiscard]] std::string result_text(const options::node& value, int indent = 4);

/// A metric of a benchmark with its samples.
struct pytorch_metric {
  std::string name;
  std::vector<double> values;
  options::node extra_info = options::node::table();
};

/// The benchmark of the records.
struct pytorch_source {
  options::node args;       // arguments_of() (offline_line.hpp)
  std::string model;        // empty: null
  std::string output_json;  // path of the result file
};

/// Whether the records are written: $SAVE_TO_PYTORCH_BENCHMARK_FORMAT is set to a text that is not
/// empty, and there is a result file.
[[nodiscard]] bool wants_pytorch(const options::environment& env,
                                 const std::optional<std::string>& output_json);

/// The path of the result file without its last extension, and ".pytorch.json", or
/// ".KEY.pytorch.json" if there is a key.
[[nodiscard]] std::string pytorch_path(std::string_view output_json, std::string_view key = {});

/// One record for each metric, in an array on one line. Infinite numbers become "inf"; NaN stays a
/// bare NaN, which other readers of JSON refuse.
[[nodiscard]] std::string pytorch_text(const pytorch_source& source,
                                       std::span<const pytorch_metric> metrics);

}  // namespace inferbench::offline
