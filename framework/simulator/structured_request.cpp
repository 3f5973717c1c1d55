#include "simulator/structured_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "simulator/sample_pattern.hpp"
#include "simulator/schema_instance.hpp"

namespace inferbench::simulator {

namespace {

using base::json_value;

// JSON that no reader accepts, and that has no pair of braces: a reader that looks for an object
// inside other text finds none.
std::optional<std::string> cut_json(const std::string& json) {
  if (const auto brace = json.find('}'); brace != std::string::npos) return json.substr(0, brace);
  if (json.ends_with(']') || json.ends_with('"')) return json.substr(0, json.size() - 1);
  return "no " + json;  // a number, true, false or null
}

void read_schema(body_reader& body, std::string_view name, const json_value& value,
                 demanded_structure& out) {
  out.kind = structure_kind::json;
  rapidjson::Document parsed;
  const json_value* schema = &value;
  if (value.IsString()) {
    // Iterative, as for the body: the text may be nested as deeply.
    parsed.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(
        value.GetString(), value.GetStringLength());
    if (parsed.HasParseError()) return body.refuse(name, "is a text that is no JSON.");
    schema = &parsed;
  }
  if (!schema->IsObject() && !schema->IsBool()) return body.refuse(name, "must be a JSON schema.");
  if (auto samples = samples_of_schema(*schema)) {
    out.cut = cut_json(samples->accepted);
    out.refused = std::move(samples->refused);
    out.right = std::move(samples->accepted);
  }
}

void read_pattern(body_reader& body, std::string_view name, const json_value& value,
                  demanded_structure& out) {
  out.kind = structure_kind::regex;
  if (!value.IsString()) return body.refuse(name, "must be a text.");
  if (auto samples = samples_of(base::text_of(&value))) {
    out.right = std::move(samples->matching);
    out.cut = out.refused = std::move(samples->other);
  }
}

void read_choices(body_reader& body, std::string_view name, const json_value& value,
                  demanded_structure& out) {
  out.kind = structure_kind::choice;
  if (!value.IsArray() || value.Empty() ||
      !std::ranges::all_of(value.GetArray(),
                           [](const json_value& each) { return each.IsString(); }))
    return body.refuse(name, "must be a list of at least one text.");
  const auto all = value.GetArray();
  out.right = base::text_of(&all[0]);
  // Longer than every choice, so it is none of them.
  std::string other = "neither";
  for (const json_value& each : all)
    while (other.size() <= each.GetStringLength())
      other += " nor that";
  out.cut = out.refused = std::move(other);
}

void read_grammar(body_reader& body, std::string_view name, const json_value& value,
                  demanded_structure& out) {
  out.kind = structure_kind::grammar;
  if (!value.IsString()) body.refuse(name, "must be a text.");
}

struct structure_member {
  const char* name;   // in structured_outputs
  const char* older;  // at the top level
  void (*read)(body_reader&, std::string_view, const json_value&, demanded_structure&);
};
constexpr std::array structure_members{
    structure_member{"json", "guided_json", &read_schema},
    structure_member{"regex", "guided_regex", &read_pattern},
    structure_member{"choice", "guided_choice", &read_choices},
    structure_member{"grammar", "guided_grammar", &read_grammar}};

// {"type": "json_schema", "json_schema": {"name": ..., "schema": {...}}} or {"type":
// "json_object"}
void read_response_format(body_reader& body, const json_value& format, demanded_structure& out) {
  constexpr std::string_view name = "response_format";
  if (!format.IsObject()) return body.refuse(name, "must be an object.");
  const std::string type(base::text_of(base::find(format, "type")));
  if (type == "json_object") {
    rapidjson::Document any;
    any.Parse(R"({"type":"object"})");
    return read_schema(body, name, any, out);
  }
  if (type != "json_schema") return;
  const json_value* schema = base::find(base::find(format, "json_schema"), "schema");
  if (schema == nullptr) return body.refuse("response_format.json_schema.schema", "is missing.");
  read_schema(body, "response_format.json_schema.schema", *schema, out);
}

}  // namespace

demanded_structure read_structure(body_reader& body) {
  demanded_structure out;
  int found = 0;
  const auto add = [&](const structure_member& member, const std::string& name,
                       const json_value* value) {
    if (value == nullptr || value->IsNull()) return;
    if (++found == 1) member.read(body, name, *value, out);
  };
  for (const structure_member& each : structure_members)
    add(each, each.older, body.find(each.older));
  if (const json_value* outputs = body.find("structured_outputs")) {
    if (!outputs->IsObject()) body.refuse("structured_outputs", "must be an object.");
    for (const structure_member& each : structure_members)
      add(each, std::string("structured_outputs.") + each.name, base::find(outputs, each.name));
  }
  if (found > 1)
    body.refuse(bad_request("structured_outputs", "Only one structure a request is possible."));
  if (const json_value* format = body.find("response_format"); format != nullptr && found == 0)
    read_response_format(body, *format, out);
  return out;
}

wrong_answers::kind wrong_answers::next() noexcept {
  ++asked_;
  // A tenth has no exact double, and 0.1 * 10 must be a whole answer.
  constexpr double rounding = 1e-9;
  const auto due =
      static_cast<std::uint64_t>(std::floor(static_cast<double>(asked_) * share_ + rounding));
  if (due <= wrong_) return kind::right;
  return ++wrong_ % 2 == 1 ? kind::cut : kind::refused;
}

}  // namespace inferbench::simulator
