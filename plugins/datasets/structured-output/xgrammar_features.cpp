#include "xgrammar_features.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace structured {

namespace {

constexpr std::string_view known_formats[] = {"email",         "date",
                                              "time",          "date-time",
                                              "duration",      "ipv4",
                                              "ipv6",          "hostname",
                                              "uuid",          "uri",
                                              "uri-reference", "uri-template",
                                              "json-pointer",  "relative-json-pointer"};

/// One object of a schema, with the questions that the rules ask.
class schema_object {
 public:
  schema_object(const ifb::json_value& object, xgrammar_rules rules)
      : object_(object), lists_(rules == xgrammar_rules::newest) {}

  [[nodiscard]] bool is(std::string_view type) const {
    const ifb::json_value* const given = ifb::find(object_, "type");
    if (given == nullptr) return false;
    if (given->IsString()) return ifb::text_of(given) == type;
    return lists_ && given->IsArray() &&
           std::any_of(given->Begin(), given->End(), [&](const ifb::json_value& each) {
             return each.IsString() && ifb::text_of(&each) == type;
           });
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return ifb::find(object_, name) != nullptr;
  }
  [[nodiscard]] bool has_any(std::initializer_list<std::string_view> names) const {
    return std::ranges::any_of(names, [this](std::string_view name) { return has(name); });
  }
  /// The member `name`, if it is an object.
  [[nodiscard]] const ifb::json_value* object_at(std::string_view name) const {
    const ifb::json_value* const out = ifb::find(object_, name);
    return out != nullptr && out->IsObject() ? out : nullptr;
  }
  [[nodiscard]] bool has_unknown_format() const {
    const ifb::json_value* const format = ifb::find(object_, "format");
    return format != nullptr &&
           (!format->IsString() ||
            std::ranges::find(known_formats, ifb::text_of(format)) == std::end(known_formats));
  }
  /// xgrammar ignores the length of a text that has a pattern or a format.
  [[nodiscard]] bool has_pattern_and_length() const {
    return has_any({"pattern", "format"}) && has_any({"minLength", "maxLength"});
  }
  /// Properties that are not named elsewhere are refused or have a schema of their own.
  [[nodiscard]] bool restricts_other_properties() const {
    const ifb::json_value* const others = ifb::find(object_, "unevaluatedProperties");
    return object_at("additionalProperties") != nullptr || (others != nullptr && !others->IsTrue());
  }

 private:
  const ifb::json_value& object_;
  bool lists_;  // a type may be a list of types
};

bool has_unsupported_object(const schema_object& one, const ifb::json_value* names,
                            const ifb::json_value* patterns) {
  if (names != nullptr && schema_object(*names, xgrammar_rules::newest).has_pattern_and_length())
    return true;
  if (one.has("propertyNames") &&
      (one.has_any({"properties", "patternProperties"}) || one.restricts_other_properties()))
    return true;
  return patterns != nullptr && (one.has("properties") || patterns->MemberCount() > 1);
}

bool is_unsupported(const schema_object& one, xgrammar_rules rules) {
  const bool newest = rules == xgrammar_rules::newest;
  if ((one.is("integer") || one.is("number")) && one.has("multipleOf")) return true;
  if (one.is("array") && one.has_any({"uniqueItems", "contains", "minContains", "maxContains"}))
    return true;
  if (one.is("string") && (one.has_unknown_format() || (newest && one.has_pattern_and_length())))
    return true;
  if (!one.is("object")) return false;
  if (!newest)
    return one.has_any({"minProperties", "maxProperties", "propertyNames", "patternProperties"});
  return has_unsupported_object(one, one.object_at("propertyNames"),
                                one.object_at("patternProperties"));
}

}  // namespace

bool has_unsupported_features(const ifb::json_value& schema, xgrammar_rules rules) {
  std::vector<const ifb::json_value*> left;
  if (schema.IsObject()) left.push_back(&schema);
  while (!left.empty()) {
    const ifb::json_value& object = *left.back();
    left.pop_back();
    if (is_unsupported(schema_object(object, rules), rules)) return true;
    for (const auto& member : object.GetObject()) {
      if (member.value.IsObject()) left.push_back(&member.value);
      if (!member.value.IsArray()) continue;
      for (const auto& item : member.value.GetArray())
        if (item.IsObject()) left.push_back(&item);
    }
  }
  return false;
}

}  // namespace structured
