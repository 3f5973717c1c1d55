// Samples that the kit asks backends to carry, and what a dataset's sample holds as text.
// They are written in JSON, as in the recorded exchanges (docs/plugin-check.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/json.hpp"
#include "check/lent_memory.hpp"

namespace inferbench::check {

/// A sample on lent memory, parts and texts included. Throws base::error, naming `place`,
/// where `json` is not the form.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, const base::json_value& json,
                                      const std::string& place);
/// The same from text.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, std::string_view json);

/// One for each shape of prompt, the plain text first; the names are those of the shapes.
struct named_sample {
  const char* name;
  const char* json;
};
[[nodiscard]] const std::vector<named_sample>& all_shapes();

/// All that a sample holds, one line; every byte of it is read.
[[nodiscard]] std::string text_of(const ifb_sample& sample);

}  // namespace inferbench::check
