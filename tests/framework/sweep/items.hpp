// Combinations and error texts for the tests of a sweep.
#pragma once

#include <string>

#include "base/error.hpp"
#include "pytext/python_json.hpp"
#include "sweep/item.hpp"

namespace inferbench::sweep {

/// The combination of a JSON object.
inline item made_item(const std::string& json) {
  return item(pytext::read_json_node(json, "items.json"));
}

/// The text of the error that `call` throws.
template <typename function>
std::string complaint_of(function&& call) {
  try {
    (void)call();
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace inferbench::sweep
