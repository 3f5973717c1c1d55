// Errors of the tests of `perf run` and `perf convert`.
#pragma once

#include <string>

#include "base/error.hpp"

namespace inferbench::perf {

/// The text of the base::error that the call throws; empty if it throws none.
template <typename function>
std::string error_text(function call) {
  try {
    static_cast<void>(call());
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

}  // namespace inferbench::perf
