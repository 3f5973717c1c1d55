// For the tests of options and of config: an environment that is the same on every machine, and the
// text of an error.
#pragma once

#include <string>

#include "base/error.hpp"
#include "options/environment.hpp"

namespace inferbench::options {

inline environment test_environment() {
  environment out;
  out.variables = {{"HOME", "/home/me"}, {"TOKEN", "s3cret"}, {"PORT", "8123"}};
  out.random = [] { return 0xC0FFEE01U; };
  return out;
}

/// The message of the error that `what` throws, as the user reads it; empty: no error.
template <typename function>
std::string complaint_of(function&& what) {
  try {
    what();
    return {};
  } catch (const base::error& e) {
    return e.what();
  }
}

}  // namespace inferbench::options
