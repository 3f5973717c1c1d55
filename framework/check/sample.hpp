// The samples that the kit passes to backends, and the contents of a dataset's sample as text.
// Samples are written in JSON, as in the recorded exchanges (docs/plugin-check.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/json.hpp"
#include "check/lent_memory.hpp"

namespace inferbench::check {

/// A sample in lent memory, including its parts and texts. `shape` and `kind` are words, or numbers
/// for values that abi.h does not have. Throws base::error, which contains `place`, if `json` does
/// not have the form of a sample.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, const base::json_value& json,
                                      const std::string& place);
/// The same function for JSON as text, which must be a valid sample.
[[nodiscard]] ifb_sample* lend_sample(lent_memory& memory, std::string_view json);

/// A sample for a dataset to fill in: all members are zero, except for the three numbers that are
/// -1 (rule R3 in abi.h).
[[nodiscard]] ifb_sample* room_for_sample(lent_memory& memory);

/// One sample for each shape of prompt; the plain text is first. The name of a sample is the name
/// of its shape.
struct named_sample {
  const char* name;
  const char* json;
};
[[nodiscard]] const std::vector<named_sample>& all_shapes();

/// The contents of a sample as one line. Reads every byte of the sample, so invalid pointers crash
/// here.
[[nodiscard]] std::string text_of(const ifb_sample& sample);

}  // namespace inferbench::check
