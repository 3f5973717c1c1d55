// Descriptions as JSON, on their way from the child that looked into a library.
#include <cmath>
#include <limits>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "plugin/probe.hpp"

namespace inferbench::plugin {

namespace {

void write(ifb::json_writer& out, const described::option& option) {
  out.begin_object();
  out.member("name", option.name);
  out.member("help", option.help);
  out.member("fallback", option.fallback);
  out.member("value_name", option.value_name);
  out.member("flag", option.flag);
  out.member("type", option.type);
  out.member("flags", option.flags);
  out.key("choices");
  out.begin_array();
  for (const std::string& choice : option.choices)
    out.string(choice);
  out.end_array();
  out.member("minimum", option.minimum);
  out.member("maximum", option.maximum);
  out.end_object();
}

std::string text_at(const base::json_value& in, const char* key) {
  return std::string(base::text_of(base::find(in, key)));
}

std::uint32_t integer_at(const base::json_value& in, const char* key) {
  const base::json_value* const at = base::find(in, key);
  return at != nullptr && at->IsUint() ? at->GetUint() : 0;
}

// What ifb::json_writer::number makes of a number: infinite ones are texts.
double number_at(const base::json_value& in, const char* key) {
  const base::json_value* const at = base::find(in, key);
  if (at == nullptr || at->IsNull()) return std::numeric_limits<double>::quiet_NaN();
  if (at->IsNumber()) return at->GetDouble();
  return (base::text_of(at).starts_with('-') ? -1 : 1) * std::numeric_limits<double>::infinity();
}

std::vector<std::string> texts_at(const base::json_value& in, const char* key) {
  std::vector<std::string> out;
  const base::json_value* const at = base::find(in, key);
  if (at != nullptr && at->IsArray())
    for (const auto& item : at->GetArray())
      out.emplace_back(base::text_of(&item));
  return out;
}

}  // namespace

std::string to_json(const std::vector<described>& plugins) {
  ifb::json_writer out;
  out.begin_array();
  for (const described& plugin : plugins) {
    out.begin_object();
    out.member("kind", plugin.kind);
    out.member("name", plugin.name);
    out.member("id", plugin.id);
    out.member("version", plugin.version);
    out.member("summary", plugin.summary);
    out.member("license", plugin.license);
    out.member("sdk", plugin.sdk);
    out.key("interfaces");
    out.begin_array();
    for (const std::string& id : plugin.interfaces)
      out.string(id);
    out.end_array();
    out.key("options");
    out.begin_array();
    for (const described::option& option : plugin.options)
      write(out, option);
    out.end_array();
    out.member("trouble", plugin.trouble);
    out.end_object();
  }
  out.end_array();
  return out.take();
}

std::vector<described> from_json(const std::string& text, const std::filesystem::path& file) {
  const auto garbage = [] {
    return base::error(
        "the child process that looked into it answered with something else than "
        "a description");
  };
  rapidjson::Document document;
  try {
    document = base::parse_json(text, file.string());
  } catch (const base::error&) {
    throw garbage();
  }
  if (!document.IsArray()) throw garbage();
  std::vector<described> out;
  for (const auto& in : document.GetArray()) {
    if (!in.IsObject()) throw garbage();
    described& plugin = out.emplace_back();
    plugin.kind = integer_at(in, "kind");
    plugin.name = text_at(in, "name");
    plugin.id = text_at(in, "id");
    plugin.version = text_at(in, "version");
    plugin.summary = text_at(in, "summary");
    plugin.license = text_at(in, "license");
    plugin.sdk = text_at(in, "sdk");
    plugin.file = file;
    plugin.interfaces = texts_at(in, "interfaces");
    plugin.trouble = text_at(in, "trouble");
    const base::json_value* const options = base::find(in, "options");
    if (options == nullptr || !options->IsArray()) throw garbage();
    for (const auto& from : options->GetArray()) {
      described::option& option = plugin.options.emplace_back();
      option.name = text_at(from, "name");
      option.help = text_at(from, "help");
      option.fallback = text_at(from, "fallback");
      option.value_name = text_at(from, "value_name");
      option.flag = text_at(from, "flag");
      option.type = integer_at(from, "type");
      option.flags = integer_at(from, "flags");
      option.choices = texts_at(from, "choices");
      option.minimum = number_at(from, "minimum");
      option.maximum = number_at(from, "maximum");
    }
  }
  return out;
}

}  // namespace inferbench::plugin
