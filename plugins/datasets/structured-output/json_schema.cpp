#include "json_schema.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

#include "datasets/common/text_file.hpp"

namespace structured {

namespace {

// The writer of JSON text calls itself for each level.
constexpr std::size_t deepest_schema = 200;

constexpr std::string_view character_schema = R"({
  "type": "array",
  "items": {
    "type": "object",
    "properties": {
      "name": {"type": "string"},
      "race": {"type": "string"},
      "class": {"type": "string"},
      "level": {"type": "integer"},
      "background": {"type": "string"},
      "alignment": {"type": "string"},
      "backstory": {"type": "string"}
    },
    "required": ["name", "race", "class", "level", "background", "alignment", "backstory"]
  }
})";

bool nested_too_deeply(const ifb::json_value& root) {
  std::vector<std::pair<const ifb::json_value*, std::size_t>> left{{&root, 1}};
  while (!left.empty()) {
    const auto [value, level] = left.back();
    left.pop_back();
    if (level > deepest_schema) return true;
    if (value->IsObject())
      for (const auto& member : value->GetObject())
        left.emplace_back(&member.value, level + 1);
    if (value->IsArray())
      for (const auto& item : value->GetArray())
        left.emplace_back(&item, level + 1);
  }
  return false;
}

// The JSON text of an object without its last brace, ready for another member.
std::string opened(const ifb::json_value& object) {
  std::string out = ifb::to_text(object);
  out.pop_back();
  if (object.MemberCount() > 0) out += ", ";
  return out;
}

}  // namespace

json_schema::json_schema(const ifb::json_value& object) : text_(ifb::to_text(object)) {
  const ifb::json_value* const properties = ifb::find(object, "properties");
  if (properties == nullptr) {
    before_ = opened(object) + "\"properties\": {";
    after_ = "}}";
    return;
  }
  const char* separator = "{";
  bool open = false;
  for (const auto& member : object.GetObject()) {
    std::string& out = open ? after_ : before_;
    out += std::exchange(separator, ", ");
    ifb::append_json_string(out, ifb::text_of(&member.name));
    out += ": ";
    if (&member.value == properties) {
      out += opened(member.value);
      after_ = "}";
      open = true;
    } else {
      out += ifb::to_text(member.value);
    }
  }
  after_ += '}';
}

json_schema json_schema::bundled() { return json_schema(ifb::read_json(character_schema)); }

json_schema json_schema::of_file(const std::string& path) {
  constexpr const char* option = "schema-path";
  const auto refuse = [&](const std::string& why) {
    throw ifb::failure(IFB_E_DATA, path + ": " + why + "; give a file with a JSON schema", option);
  };
  try {
    const files::text_file file(path);
    const ifb::json_document schema = ifb::read_json(file.text(), IFB_E_DATA);
    if (!schema.IsObject()) refuse("the JSON value is not an object");
    if (nested_too_deeply(schema))
      refuse("the schema is nested more than " + std::to_string(deepest_schema) + " levels deep");
    const ifb::json_value* const properties = ifb::find(schema, "properties");
    if (properties != nullptr && !properties->IsObject())
      refuse("\"properties\" of the schema are not an object");
    return json_schema(schema);
  } catch (const ifb::failure& e) {
    if (e.option() == option) throw;
    // The reader of files names its own option, and the reader of JSON names no file.
    if (e.code() == IFB_E_DATA) refuse(e.message());
    throw ifb::failure(e.code(), e.message(), option);
  }
}

std::string json_schema::with_property(std::string_view name) const {
  std::string out = before_;
  ifb::append_json_string(out, name);
  out += R"(: {"type": "string", "description": "Makes this schema differ from all others."})";
  return out += after_;
}

}  // namespace structured
