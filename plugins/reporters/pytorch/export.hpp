// The file of PyTorch's benchmark dashboard: a JSON array with one record for each metric of a
// result.
#pragma once

#include <string>
#include <string_view>

#include "arguments.hpp"
#include "reporters/common/document.hpp"

namespace reporters {

struct export_of {
  const document& result;  // does not contain arrays of requests
  const arguments& args;
  std::string_view model;  // JSON: the value of --model; null if the server was asked for the model
  std::string_view result_filename;
};

/// Returns the records, separated by commas, without the brackets of the array. Returns an empty
/// text if the result has none of the metrics; in this case upstream does not write a file.
[[nodiscard]] std::string records_of(const export_of& from);

/// Returns `before`, the text of an existing file, with `records` added at its end. Throws
/// ifb::failure if `before` is not a JSON array.
[[nodiscard]] std::string appended(std::string_view before, std::string_view records);

}  // namespace reporters
