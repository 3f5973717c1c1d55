// A JSON schema in the form that the validator gets. The text of a schema comes from a data set,
// and the validator trusts it: it follows references without end, it divides by a multipleOf of 0,
// and it recurses as deep as a schema does. So the schema is rewritten first.
//
// Schemas are read as draft 7. Also read: the boolean exclusiveMinimum and exclusiveMaximum of
// draft 4, $defs and prefixItems of later drafts. Other keywords of later drafts, and `format`, do
// not count, like in Python's jsonschema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <rapidjson/document.h>

namespace scorers {

/// The names of types that a schema may use.
enum class type_names : std::uint8_t {
  json_schema,
  /// Also those of descriptions of tools for Python: dict is object, float is number, tuple and
  /// list are array. Any other name, such as any, allows all values.
  of_tools
};

/// The reason why a schema cannot be used: "it refers to another document, http://x/y.json". No
/// answer is to blame for it.
class unusable_schema : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct prepared_schema {
  /// {"$ref": "#/definitions/0", "definitions": {"0": ..., "1": ...}}: each place to which the
  /// schema refers is a definition, and no definition is only a reference.
  rapidjson::Document document;
  std::size_t size = 0;               // JSON values in the document
  std::size_t depth = 1;              // most schemas that one value is checked against in turn
  bool unique = false;                // uniqueItems occurs
  std::vector<std::string> patterns;  // all regular expressions, in ECMAScript's syntax

  /// Bounds, above which a schema is refused.
  static constexpr std::size_t largest = 200'000;      // values
  static constexpr std::size_t most_levels = 400;      // sum of the depths of the definitions
  static constexpr std::size_t most_applied = 10'000;  // schemas that one value is checked against
};

/// Rewrites `source`, which must be the root of a json_tree. Throws unusable_schema. No reference
/// is ever fetched: a reference to another document makes the schema unusable.
[[nodiscard]] prepared_schema prepare(const rapidjson::Value& source, type_names names);

}  // namespace scorers
