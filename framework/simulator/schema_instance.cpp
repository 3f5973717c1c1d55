#include "simulator/schema_instance.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/schema_reference.hpp"
#include "simulator/schema_refusal.hpp"
#include "simulator/schema_scalar.hpp"

namespace inferbench::simulator {

namespace {

using base::find;
using base::json_value;
using base::text_of;

constexpr int deepest_value = 16;
// A schema that contains itself ends here.
constexpr int deepest_optional = 3;
constexpr std::size_t most_steps = 4096;
constexpr std::size_t most_members = 1000;

// Keywords that restrict a value in a way that this file does not follow.
constexpr std::array unknown_keywords{"not",
                                      "if",
                                      "dependentRequired",
                                      "dependentSchemas",
                                      "dependencies",
                                      "patternProperties",
                                      "propertyNames",
                                      "minProperties",
                                      "contains",
                                      "minContains",
                                      "unevaluatedProperties",
                                      "unevaluatedItems",
                                      "$dynamicRef",
                                      "$recursiveRef"};

// Keywords that do not restrict a value.
constexpr std::array note_keywords{"title",       "description", "default",  "examples",
                                   "$comment",    "$schema",     "$id",      "$defs",
                                   "definitions", "deprecated",  "readOnly", "writeOnly"};

/// Whether all keywords that restrict a value are in `known`.
bool has_only(const json_value& schema, std::initializer_list<std::string_view> known) {
  return std::ranges::all_of(schema.GetObject(), [&](const auto& member) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    return std::ranges::find(known, name) != known.end() ||
           std::ranges::find(note_keywords, name) != note_keywords.end();
  });
}

/// Whether the value has at most `levels` levels.
bool is_flat(const json_value& value, int levels) {
  if (value.IsArray())
    return levels > 0 && std::ranges::all_of(value.GetArray(), [&](const json_value& each) {
             return is_flat(each, levels - 1);
           });
  if (value.IsObject())
    return levels > 0 && std::ranges::all_of(value.GetObject(), [&](const auto& member) {
             return is_flat(member.value, levels - 1);
           });
  return true;
}

/// Makes one value. The functions append it to a text, and return false if they cannot; the text
/// is then of no use.
class instance_maker {
 public:
  explicit instance_maker(const json_value& root) : root_(root) {}

  bool add(std::string& out, const json_value& given, int depth) {
    if (++steps_ > most_steps || depth > deepest_value || out.size() > largest_schema_value)
      return false;
    if (given.IsObject() && find(given, "$ref") != nullptr && !has_only(given, {"$ref"}))
      return false;
    const json_value* schema = resolved_schema(root_, given);
    if (schema == nullptr) return false;
    if (schema->IsBool()) {
      if (!schema->GetBool()) return false;
      out += depth == 0 ? "{}" : "\"tide\"";
      return true;
    }
    if (!schema->IsObject()) return false;
    for (const char* const name : unknown_keywords)
      if (find(*schema, name) != nullptr) return false;
    if (const json_value* value = find(*schema, "const"))
      return has_only(*schema, {"const", "type"}) && append(out, *value);
    if (const json_value* values = find(*schema, "enum"))
      return has_only(*schema, {"enum", "type"}) && add_listed(out, *schema, *values);
    for (const char* const name : {"anyOf", "oneOf"})
      if (const json_value* of = find(*schema, name))
        return has_only(*schema, {name, "type"}) &&
               add_alternative(out, *schema, *of, name == std::string_view("oneOf"), depth);
    if (const json_value* all = find(*schema, "allOf")) {
      // Two schemas at once would have to be merged.
      if (!all->IsArray() || all->Size() != 1 || !has_only(*schema, {"allOf"})) return false;
      return add(out, (*all)[0], depth + 1);
    }
    return add_typed(out, *schema, type_of(*schema), depth);
  }

 private:
  static bool append(std::string& out, const json_value& value) {
    if (!is_flat(value, deepest_value)) return false;
    out += base::to_text(value);
    return true;
  }

  // The type of a value: the first in the list, or a guess from the keywords. Empty: any type.
  static std::string_view type_of(const json_value& schema) {
    const json_value* type = find(schema, "type");
    if (type != nullptr && type->IsArray() && !type->Empty()) type = &(*type)[0];
    if (type != nullptr && type->IsString()) return text_of(type);
    const auto has = [&](std::initializer_list<const char*> names) {
      return std::ranges::any_of(names,
                                 [&](const char* name) { return find(schema, name) != nullptr; });
    };
    if (has({"properties", "required", "additionalProperties"})) return "object";
    if (has({"items", "prefixItems", "minItems"})) return "array";
    if (has({"minLength", "maxLength", "pattern", "format"})) return "string";
    if (has({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}))
      return "number";
    return {};
  }

  static bool fits_type(const json_value& value, std::string_view type) {
    if (type == "object") return value.IsObject();
    if (type == "array") return value.IsArray();
    if (type == "string") return value.IsString();
    if (type == "integer") return value.IsInt64() || value.IsUint64();
    if (type == "number") return value.IsNumber();
    if (type == "boolean") return value.IsBool();
    if (type == "null") return value.IsNull();
    return true;
  }

  static bool add_listed(std::string& out, const json_value& schema, const json_value& values) {
    if (!values.IsArray()) return false;
    const bool typed = find(schema, "type") != nullptr;
    const std::string_view type = typed ? type_of(schema) : std::string_view();
    for (const json_value& each : values.GetArray())
      if (fits_type(each, type)) return append(out, each);
    return false;
  }

  // A value may fit only one schema of oneOf, which is certain if their types differ.
  bool types_differ(const json_value& of) const {
    std::vector<std::string_view> seen;
    for (const json_value& each : of.GetArray()) {
      const json_value* schema = resolved_schema(root_, each);
      if (schema == nullptr || !schema->IsObject()) return false;
      const json_value* type = find(*schema, "type");
      if (type == nullptr || !type->IsString()) return false;
      // A whole number is a number.
      const std::string_view name =
          text_of(type) == "integer" ? std::string_view("number") : std::string_view(text_of(type));
      if (std::ranges::find(seen, name) != seen.end()) return false;
      seen.push_back(name);
    }
    return true;
  }

  bool add_alternative(std::string& out, const json_value& schema, const json_value& of, bool one,
                       int depth) {
    if (!of.IsArray() || (one && !types_differ(of))) return false;
    const bool typed = find(schema, "type") != nullptr;
    const std::size_t before = out.size();
    for (const json_value& each : of.GetArray()) {
      const json_value* choice = resolved_schema(root_, each);
      const bool other_type = typed && choice != nullptr && choice->IsObject() &&
                              find(*choice, "type") != nullptr &&
                              type_of(*choice) != type_of(schema);
      if (!other_type && add(out, each, depth + 1)) return true;
      out.resize(before);
    }
    return false;
  }

  bool add_typed(std::string& out, const json_value& schema, std::string_view type, int depth) {
    if (type == "object") return add_object(out, schema, depth);
    if (type == "array") return add_array(out, schema, depth);
    if (type == "string") return append_text_value(out, schema, next_word_);
    if (type == "integer" || type == "number")
      return append_number_value(out, schema, type == "integer");
    if (type == "boolean") {
      out += "true";
      return true;
    }
    if (type == "null") {
      out += "null";
      return true;
    }
    if (!type.empty()) return false;
    out += depth == 0 ? "{}" : "\"tide\"";
    return true;
  }

  static std::vector<std::string_view> required_of(const json_value& schema) {
    std::vector<std::string_view> out;
    const json_value* names = find(schema, "required");
    if (names == nullptr || !names->IsArray()) return out;
    for (const json_value& each : names->GetArray())
      if (each.IsString()) out.emplace_back(each.GetString(), each.GetStringLength());
    return out;
  }

  bool add_object(std::string& out, const json_value& schema, int depth) {
    const std::vector<std::string_view> required = required_of(schema);
    if (required.size() > most_members) return false;
    const json_value* properties = find(schema, "properties");
    out += '{';
    bool first = true;
    std::size_t found = 0;
    if (properties != nullptr && properties->IsObject()) {
      for (const auto& [name, value] : properties->GetObject()) {
        const std::string_view key(name.GetString(), name.GetStringLength());
        const bool needed = std::ranges::find(required, key) != required.end();
        if (!needed && (!required.empty() || depth >= deepest_optional)) continue;
        const std::size_t before = out.size();
        if (!first) out += ',';
        ifb::append_json_string(out, key);
        out += ':';
        if (add(out, value, depth + 1)) {
          first = false;
          found += needed ? 1 : 0;
        } else if (needed) {
          return false;
        } else {
          out.resize(before);
        }
      }
    }
    // A required member without a schema of its own would be subject to additionalProperties.
    if (found != required.size()) return false;
    out += '}';
    return true;
  }

  bool add_array(std::string& out, const json_value& schema, int depth) {
    const json_value* items = find(schema, "items");
    const json_value* heads = find(schema, "prefixItems");
    if (heads == nullptr && items != nullptr && items->IsArray()) std::swap(heads, items);
    const std::uint64_t fixed = heads != nullptr && heads->IsArray() ? heads->Size() : 0;
    if (find(schema, "minItems") != nullptr && !count_in(schema, "minItems")) return false;
    std::uint64_t count = std::max<std::uint64_t>(count_in(schema, "minItems").value_or(1), fixed);
    count =
        std::min(std::max<std::uint64_t>(count, 1), count_in(schema, "maxItems").value_or(count));
    if (count < count_in(schema, "minItems").value_or(0)) return false;
    const json_value* unique = find(schema, "uniqueItems");
    if (count > 1 && unique != nullptr && unique->IsTrue()) return false;
    const json_value anything(true);
    out += '[';
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i != 0) out += ',';
      const json_value* of = i < fixed ? &(*heads)[static_cast<rapidjson::SizeType>(i)] : items;
      const std::size_t before = out.size();
      if (add(out, of == nullptr ? anything : *of, depth + 1)) continue;
      // An array may be empty if nothing demands an element.
      if (i != 0 || count_in(schema, "minItems").value_or(0) != 0) return false;
      out.resize(before);
      break;
    }
    out += ']';
    return true;
  }

  const json_value& root_;
  std::size_t steps_ = 0;
  std::size_t next_word_ = 0;
};

}  // namespace

std::optional<schema_samples> samples_of_schema(const json_value& schema) {
  schema_samples out;
  if (!instance_maker(schema).add(out.accepted, schema, 0)) return std::nullopt;
  if (out.accepted.size() > largest_schema_value) return std::nullopt;
  out.refused = value_refused_by(schema);
  return out;
}

}  // namespace inferbench::simulator
