// The features of JSON Schema that xgrammar, vLLM's usual engine for structures, does not support.
#pragma once

#include <cstdint>

#include <inferbench/json_reader.hpp>

namespace structured {

/// The versions of vLLM whose rules are known. vLLM refuses a request whose schema breaks the rules
/// of its version.
enum class xgrammar_rules : std::uint8_t {
  /// vLLM of 2025, until its pull request 30390 of December
  /// (vllm/v1/structured_output/backend_xgrammar.py).
  older,
  /// vLLM of September 2026 (the same file at commit 030141c1).
  newest
};

/// Returns whether the schema, or any object in it, has one of these:
///
/// | type            | older                            | newest                               |
/// | --------------- | -------------------------------- | ------------------------------------ |
/// | integer, number | multipleOf                       | multipleOf                           |
/// | array           | uniqueItems, contains,           | uniqueItems, contains,               |
/// |                 | minContains, maxContains         | minContains, maxContains             |
/// | string          | another format than the 14 known | another format than the 14 known;    |
/// |                 |                                  | pattern or format, with minLength or |
/// |                 |                                  | maxLength                            |
/// | object          | minProperties, maxProperties,    | propertyNames with a pattern and a   |
/// |                 | propertyNames, patternProperties | length, or beside properties,        |
/// |                 |                                  | patternProperties, a schema of       |
/// |                 |                                  | additionalProperties or restricted   |
/// |                 |                                  | unevaluatedProperties;               |
/// |                 |                                  | patternProperties beside properties, |
/// |                 |                                  | or more than one of them             |
///
/// The type is one text; in the newest rules it may also be a list of texts. As in vLLM, every
/// object below the schema counts as a schema, also one that is not, such as a default value.
/// Objects in lists of lists are not looked at. Pure function; any thread; any depth of nesting.
[[nodiscard]] bool has_unsupported_features(const ifb::json_value& schema, xgrammar_rules rules);

}  // namespace structured
