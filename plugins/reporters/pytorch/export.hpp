// The file of PyTorch's benchmark dashboard: a JSON array with one record for each
// metric of a result.
#pragma once

#include <string>
#include <string_view>

#include "arguments.hpp"
#include "reporters/common/document.hpp"

namespace reporters {

struct export_of {
  const document& result;  // without arrays of requests
  const arguments& args;
  std::string_view model;  // JSON: --model, null if the server was asked for it
  std::string_view result_filename;
};

/// The records with commas, without the brackets of the array; empty: the result has none of the
/// metrics, and upstream then writes no file.
[[nodiscard]] std::string records_of(const export_of& from);

/// `before`, the text of such a file, with `records` at its end. Throws ifb::failure when
/// it is no JSON array.
[[nodiscard]] std::string appended(std::string_view before, std::string_view records);

}  // namespace reporters
