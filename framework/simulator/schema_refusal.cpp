#include "simulator/schema_refusal.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "simulator/schema_reference.hpp"

namespace inferbench::simulator {

namespace {

using base::find;
using base::json_value;
using base::text_of;

constexpr int deepest_refusal = 16;
constexpr std::size_t most_refusal_steps = 4096;

/// Finds a value that a schema certainly refuses. All keywords of a schema hold at the same time,
/// so one keyword that refuses the value is enough.
class refusal_finder {
 public:
  explicit refusal_finder(const json_value& root) : root_(root) {}

  std::optional<std::string> find_value(const json_value& given, int depth = 0) {
    if (++steps_ > most_refusal_steps || depth > deepest_refusal) return std::nullopt;
    const json_value* schema = resolved_schema(root_, given);
    if (schema == nullptr || !schema->IsObject()) return std::nullopt;
    if (const json_value* names = find(*schema, "required");
        names != nullptr && names->IsArray() && !names->Empty() && (*names)[0].IsString() &&
        is_of(*schema, "object"))
      return "{}";
    if (const json_value* items = find(*schema, "items"); items != nullptr && items->IsObject() &&
                                                          find(*schema, "prefixItems") == nullptr &&
                                                          is_of(*schema, "array"))
      if (const auto element = find_value(*items, depth + 1)) return "[" + *element + "]";
    if (refuses_null(given, depth)) return "null";
    return std::nullopt;
  }

 private:
  static bool is_of(const json_value& schema, std::string_view type) {
    return text_of(find(schema, "type")) == type;
  }

  bool refuses_null(const json_value& given, int depth) {
    if (++steps_ > most_refusal_steps || depth > deepest_refusal) return false;
    const json_value* schema = resolved_schema(root_, given);
    if (schema == nullptr || !schema->IsObject()) return false;
    if (const json_value* type = find(*schema, "type")) {
      if (type->IsString() && text_of(type) != "null") return true;
      if (type->IsArray() && std::ranges::none_of(type->GetArray(), [](const json_value& each) {
            return text_of(&each) == "null";
          }))
        return true;
    }
    if (const json_value* value = find(*schema, "const"); value != nullptr && !value->IsNull())
      return true;
    if (const json_value* values = find(*schema, "enum");
        values != nullptr && values->IsArray() &&
        std::ranges::none_of(values->GetArray(),
                             [](const json_value& each) { return each.IsNull(); }))
      return true;
    const auto refuses = [&](const json_value& each) { return refuses_null(each, depth + 1); };
    for (const char* const name : {"anyOf", "oneOf"})
      if (const json_value* of = find(*schema, name);
          of != nullptr && of->IsArray() && std::ranges::all_of(of->GetArray(), refuses))
        return true;
    const json_value* all = find(*schema, "allOf");
    return all != nullptr && all->IsArray() && std::ranges::any_of(all->GetArray(), refuses);
  }

  const json_value& root_;
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<std::string> value_refused_by(const json_value& schema) {
  return refusal_finder(schema).find_value(schema);
}

}  // namespace inferbench::simulator
