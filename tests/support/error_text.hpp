// Errors of calls, for tests.
#pragma once

#include <string>

#include "base/error.hpp"
#include "options/refusal.hpp"

namespace inferbench::support {

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

/// Whether the call throws an options::usage_error.
template <typename function>
bool is_misuse(function call) {
  try {
    static_cast<void>(call());
  } catch (const options::usage_error&) {
    return true;
  } catch (const base::error&) {
    return false;
  }
  return false;
}

}  // namespace inferbench::support
