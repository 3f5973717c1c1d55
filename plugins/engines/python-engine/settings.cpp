#include "settings.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/json_reader.hpp>

namespace python_engine {

namespace {

ifb::json_document object_of(std::string_view text, std::string_view option) {
  ifb::json_document out;
  if (text.empty()) {
    out.SetObject();
    return out;
  }
  try {
    out = ifb::read_json(text, IFB_E_CONFIG);
  } catch (const ifb::failure& e) {
    throw ifb::failure{IFB_E_CONFIG, e.message(), std::string(option)};
  }
  if (!out.IsObject())
    throw ifb::failure{IFB_E_CONFIG,
                       "the options of the engine are not a JSON object, such as "
                       "{\"max-model-len\": 4096}",
                       std::string(option)};
  return out;
}

using named_texts = std::vector<std::pair<std::string, std::string>>;

void lay(named_texts& over, const ifb::json_value& object) {
  for (const auto& each : object.GetObject()) {
    std::string name(ifb::text_of(&each.name));
    std::ranges::replace(name, '-', '_');
    const auto same = std::ranges::find(over, name, &named_texts::value_type::first);
    if (same == over.end())
      over.emplace_back(std::move(name), ifb::to_text(each.value));
    else
      same->second = ifb::to_text(each.value);
  }
}

std::string object_text(const named_texts& members) {
  ifb::json_writer out;
  out.begin_object();
  for (const auto& [name, text] : members) {
    out.key(name);
    out.raw(text);
  }
  out.end_object();
  return out.take();
}

}  // namespace

std::string merged_options(std::string_view lower, std::string_view upper,
                           std::string_view option) {
  named_texts members;
  lay(members, object_of(lower, option));
  lay(members, object_of(upper, option));
  return object_text(members);
}

std::string taken_option(std::string& options, std::string_view name) {
  const ifb::json_document document = object_of(options, "engine");
  const ifb::json_value* const found = ifb::find(document, name);
  if (found == nullptr) return {};
  if (!found->IsString())
    throw ifb::failure{IFB_E_CONFIG, std::string(name) + " is not a text", "engine"};
  named_texts members;
  lay(members, document);
  std::erase_if(members, [&](const auto& each) { return each.first == name; });
  options = object_text(members);
  return std::string(ifb::text_of(found));
}

}  // namespace python_engine
