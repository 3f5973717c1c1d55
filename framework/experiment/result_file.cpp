#include "experiment/result_file.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::experiment {

namespace {

using options::node;
using allocator = ifb::json_document::AllocatorType;

// A result has a few kilobytes, with --save-detailed some for each request.
constexpr std::size_t largest_result = std::size_t{1} << 30U;

ifb::json_value json_string(const std::string& text, allocator& memory) {
  ifb::json_value out;
  out.SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()), memory);
  return out;
}

void set_member(ifb::json_document& object, const std::string& key, ifb::json_value value) {
  // Like in Python, the last of several members with the same name counts.
  ifb::json_value* at = nullptr;
  for (auto& member : object.GetObject())
    if (ifb::text_of(&member.name) == key) at = &member.value;
  if (at != nullptr)
    *at = std::move(value);
  else
    object.AddMember(json_string(key, object.GetAllocator()), std::move(value),
                     object.GetAllocator());
}

void set_members(ifb::json_document& object, const sweep::item& of) {
  for (std::size_t i = 0; i < of.table().items.size(); ++i)
    set_member(object, of.table().names[i], json_of(of.table().items[i], object.GetAllocator()));
}

}  // namespace

std::shared_ptr<ifb::json_document> read_result(const std::filesystem::path& file) {
  auto out = std::make_shared<ifb::json_document>(pytext::read_json_document(
      base::read_regular_file(file.string(), largest_result), file.string()));
  if (!out->IsObject())
    throw base::error("the file does not contain a JSON object", {}, {file.string(), 0, 0});
  return out;
}

void enrich(ifb::json_document& result, int run_number, const sweep::item& serve,
            const sweep::item& bench) {
  set_member(result, "run_number", ifb::json_value(run_number));
  set_members(result, serve);
  set_members(result, bench);
}

std::string summary_json(const std::vector<sweep::run_object>& runs) {
  ifb::json_document all;
  all.SetArray();
  for (const sweep::run_object& run : runs)
    all.PushBack(ifb::json_value(*run, all.GetAllocator()), all.GetAllocator());
  return pytext::python_json(all, 4);
}

ifb::json_value json_of(const node& value, allocator& memory) {
  ifb::json_value out;
  switch (value.type) {
    case node::kind::null: break;
    case node::kind::boolean: out.SetBool(value.boolean); break;
    case node::kind::integer: out.SetInt64(value.integer); break;
    case node::kind::real: out.SetDouble(value.real); break;
    case node::kind::big: out.SetDouble(std::strtod(value.text.c_str(), nullptr)); break;
    case node::kind::text: out = json_string(value.text, memory); break;
    case node::kind::list:
      out.SetArray();
      for (const node& each : value.items)
        out.PushBack(json_of(each, memory), memory);
      break;
    case node::kind::table:
      out.SetObject();
      for (std::size_t i = 0; i < value.items.size(); ++i)
        out.AddMember(json_string(value.names[i], memory), json_of(value.items[i], memory), memory);
      break;
  }
  return out;
}

std::string json_line(const sweep::item& item) {
  ifb::json_document memory;
  return pytext::python_json(json_of(item.table(), memory.GetAllocator()), 0);
}

std::string name_or_default(const sweep::item& item) {
  return item.empty() ? "default" : item.name();
}

}  // namespace inferbench::experiment
