// Descriptions of plugins as JSON. The child process that loaded a library sends them to its
// parent.
#include <concepts>
#include <limits>
#include <string_view>
#include <type_traits>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "plugin/probe.hpp"

namespace inferbench::plugin {

namespace {

// ---- the members, which writing and reading both visit -----------------------------------------

template <typename type, typename object>
concept either = std::same_as<std::remove_const_t<type>, object>;

void visit_members(either<described::option> auto& option, auto&& visit) {
  visit("name", option.name);
  visit("help", option.help);
  visit("fallback", option.fallback);
  visit("value_name", option.value_name);
  visit("flag", option.flag);
  visit("type", option.type);
  visit("flags", option.flags);
  visit("choices", option.choices);
  visit("minimum", option.minimum);
  visit("maximum", option.maximum);
}

void visit_members(either<described> auto& plugin, auto&& visit) {
  visit("kind", plugin.kind);
  visit("name", plugin.name);
  visit("id", plugin.id);
  visit("version", plugin.version);
  visit("summary", plugin.summary);
  visit("license", plugin.license);
  visit("sdk", plugin.sdk);
  visit("interfaces", plugin.interfaces);
  visit("options", plugin.options);
  visit("trouble", plugin.trouble);
  visit("later", plugin.later);
}

// ---- writing -----------------------------------------------------------------------------------

void write(ifb::json_writer& out, const std::string& text) { out.string(text); }
void write(ifb::json_writer& out, std::uint32_t number) { out.integer(number); }
void write(ifb::json_writer& out, double number) { out.number(number); }
void write(ifb::json_writer& out, bool yes) { out.boolean(yes); }

template <typename item>
void write(ifb::json_writer& out, const std::vector<item>& items);

template <typename object>
  requires either<object, described> || either<object, described::option>
void write(ifb::json_writer& out, const object& from) {
  out.begin_object();
  visit_members(from, [&](std::string_view name, const auto& value) {
    out.key(name);
    write(out, value);
  });
  out.end_object();
}

template <typename item>
void write(ifb::json_writer& out, const std::vector<item>& items) {
  out.begin_array();
  for (const item& each : items)
    write(out, each);
  out.end_array();
}

// ---- reading: `from` is nullptr if the member is missing -------------------------------------

base::error garbage() {
  return base::error("the child process that loaded the library sent no valid description");
}

void read(const base::json_value* from, std::string& out) { out = base::text_of(from); }

void read(const base::json_value* from, std::uint32_t& out) {
  out = from != nullptr && from->IsUint() ? from->GetUint() : 0;
}

void read(const base::json_value* from, bool& out) {
  out = from != nullptr && from->IsBool() && from->GetBool();
}

// Reads a double. An infinite number is a text, because ifb::json_writer writes it as text.
void read(const base::json_value* from, double& out) {
  if (from == nullptr || from->IsNull())
    out = std::numeric_limits<double>::quiet_NaN();
  else if (from->IsNumber())
    out = from->GetDouble();
  else
    out = (base::text_of(from).starts_with('-') ? -1 : 1) * std::numeric_limits<double>::infinity();
}

void read(const base::json_value* from, std::vector<std::string>& out) {
  if (from == nullptr || !from->IsArray()) return;
  for (const auto& item : from->GetArray())
    out.emplace_back(base::text_of(&item));
}

void read_members(const base::json_value& from, auto& out);

void read(const base::json_value* from, std::vector<described::option>& out) {
  if (from == nullptr || !from->IsArray()) throw garbage();
  for (const auto& item : from->GetArray())
    read_members(item, out.emplace_back());
}

void read_members(const base::json_value& from, auto& out) {
  visit_members(out,
                [&](std::string_view name, auto& value) { read(base::find(from, name), value); });
}

}  // namespace

std::string to_json(const std::vector<described>& plugins) {
  ifb::json_writer out;
  write(out, plugins);
  return out.take();
}

std::vector<described> from_json(const std::string& text, const std::filesystem::path& file) {
  rapidjson::Document document;
  try {
    document = base::parse_json(text, file.string());
  } catch (const base::error&) {
    throw garbage();
  }
  if (!document.IsArray()) throw garbage();
  std::vector<described> out;
  for (const auto& from : document.GetArray()) {
    if (!from.IsObject()) throw garbage();
    described& plugin = out.emplace_back();
    read_members(from, plugin);
    plugin.file = file;
  }
  return out;
}

}  // namespace inferbench::plugin
