// Values that a JSON schema refuses, for the wrong answers of a server with structured outputs.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace inferbench::simulator {

/// A value of which it is certain that the schema refuses it: an object without its required
/// members, an array of such objects, or null. nullopt: there is none of these. Ends soon for every
/// schema.
[[nodiscard]] std::optional<std::string> value_refused_by(const base::json_value& schema);

}  // namespace inferbench::simulator
