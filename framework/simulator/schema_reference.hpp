// Follows the references of a JSON schema within the same schema.
#pragma once

#include "base/json.hpp"

namespace inferbench::simulator {

/// The schema that `given` means: itself, or the target of its "$ref", followed up to 16 times.
/// `root` is the whole schema, in which "#/a/b" is a place (RFC 6901, also percent-encoded).
/// Members beside a "$ref" are ignored. nullptr: the reference is broken, circular or to another
/// document.
[[nodiscard]] const base::json_value* resolved_schema(const base::json_value& root,
                                                      const base::json_value& given);

}  // namespace inferbench::simulator
