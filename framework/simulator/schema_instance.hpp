// Values that a JSON schema accepts, and values that it refuses: what a server with structured
// outputs generates. Pure functions; time, depth and memory are bounded for every schema.
//
// Known keywords: type, enum, const, properties, required, items, prefixItems, minItems, minimum,
// maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern, format,
// anyOf, oneOf, allOf with one element, and $ref to a place in the same schema. The other keywords
// that restrict a value make the schema unsupported; so does a $ref to another document, which is
// never fetched.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace inferbench::simulator {

struct schema_samples {
  std::string accepted;  // compact JSON
  // JSON of the same kind where possible; nullopt: there is no value of which it is certain that
  // the schema refuses it.
  std::optional<std::string> refused;
};

/// Samples for the schema. An object has its required members, or on its first three levels all
/// members if none is required; an array has `minItems` elements, at least one; of alternatives the
/// first that is known counts. nullopt: the schema is unsupported, no value fits, or the value is
/// too large (64 KiB, 16 levels).
[[nodiscard]] std::optional<schema_samples> samples_of_schema(const base::json_value& schema);

}  // namespace inferbench::simulator
