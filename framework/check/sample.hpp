// The samples that the kit asks backends to carry, and the contents of a dataset's sample as
// text. Samples are written in JSON, as in the recorded exchanges (docs/plugin-check.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/json.hpp"
#include "check/lent_memory.hpp"

namespace inferbench::check {

/// A sample in lent memory, parts and texts included. Throws base::error, which names `place`,
/// where `json` does not have the form of a sample.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, const base::json_value& json,
                                      const std::string& place);
/// The same from text.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, std::string_view json);

/// One sample for each shape of prompt, the plain text first; the names are those of the shapes.
struct named_sample {
  const char* name;
  const char* json;
};
[[nodiscard]] const std::vector<named_sample>& all_shapes();

/// The contents of a sample as one line; reads every byte of the sample.
[[nodiscard]] std::string text_of(const ifb_sample& sample);

}  // namespace inferbench::check
