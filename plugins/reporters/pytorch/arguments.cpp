#include "arguments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <inferbench/json_writer.hpp>

#include "upstream_parser.hpp"

namespace reporters {
namespace {

// Arguments that upstream's command line sets itself. The value of dispatch_function is a Python
// function, for which upstream writes this text.
constexpr std::array constants{
    std::pair{"subparser", R"("bench")"}, std::pair{"bench_type", R"("serve")"},
    std::pair{"dispatch_function", R"("<function is not JSON serializable>")"}};

constexpr std::array<std::string_view, 2> timed_flags{"self-timed", "no-self-timed"};

std::string underscored(std::string_view flag) {
  std::string out(flag);
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string in_quotes(std::string_view text) {
  ifb::json_writer out;
  out.string(text);
  return out.take();
}

/// Returns a number in its shortest form, without ".0": 50, 99.9.
std::string written(double number) {
  std::string out;
  ifb::append_python_float(out, number);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

/// Returns the value as a text without quotes.
std::string plain(const json_value& value) {
  if (value.IsString()) return std::string(text_of(&value));
  return value.IsDouble() ? written(value.GetDouble()) : to_text(value);
}

std::string as_text(const json_value& value) {
  if (!value.IsArray()) return in_quotes(value.IsDouble() ? to_text(value) : plain(value));
  std::string out;
  for (const json_value& each : value.GetArray())
    out += (out.empty() ? "" : ",") + plain(each);
  return in_quotes(out);
}

/// Returns the value of a JSON number, or of a string that contains only a number; otherwise
/// nullopt.
std::optional<double> number_in(const json_value& value) {
  if (value.IsNumber()) return value.GetDouble();
  const rapidjson::Document read = parse_object(R"({"value": )" + plain(value) + "}");
  const json_value* const found = find(read, "value");
  if (found == nullptr || !found->IsNumber()) return std::nullopt;
  return found->GetDouble();
}

/// Returns a length as an integer. A value that is not a whole number, such as a distribution, is
/// returned unchanged.
std::string as_integer(const json_value& value) {
  constexpr double exact = 9e15;
  const std::optional<double> number = number_in(value);
  if (!number || *number != std::floor(*number) || std::abs(*number) > exact) return to_text(value);
  return std::to_string(static_cast<std::int64_t>(*number));
}

std::string as_number(const json_value& value) {
  const std::optional<double> number = number_in(value);
  if (!number) return to_text(value);
  ifb::json_writer out;
  out.number(*number);
  return out.take();
}

std::string as_list(const json_value& value, char between) {
  ifb::json_writer out;
  out.begin_array();
  if (value.IsArray())
    for (const json_value& each : value.GetArray())
      out.string(plain(each));
  else if (value.IsObject())
    for (const auto& [name, each] : value.GetObject())
      out.string(plain(name) + between + plain(each));
  else
    out.string(plain(value));
  out.end_array();
  return out.take();
}

std::string converted(const json_value& value, kind type) {
  switch (type) {
    case kind::text: return as_text(value);
    case kind::integer: return as_integer(value);
    case kind::number: return as_number(value);
    case kind::pairs: return as_list(value, '=');
    case kind::goals: return as_list(value, ':');
    case kind::list: return as_list(value, ',');
    case kind::boolean:
    case kind::json: break;
  }
  return to_text(value);
}

bool is_upstreams(std::string_view flag) {
  return std::ranges::find(timed_flags, flag) != timed_flags.end() ||
         std::ranges::find(upstream_options(), flag, &upstream_option::flag) !=
             upstream_options().end();
}

}  // namespace

arguments arguments_of(const json_value& given, bool self_timed) {
  arguments out;
  if (!given.IsObject()) return out;
  for (const auto& [name, json] : constants)
    out.emplace_back(name, json);
  for (const upstream_option& one : upstream_options()) {
    const json_value* value = one.general.empty() ? nullptr : find(given, one.general);
    if (value == nullptr) value = find(given, one.flag);
    out.emplace_back(underscored(one.flag),
                     value == nullptr ? std::string(one.fallback) : converted(*value, one.type));
  }
  out.emplace_back("self_timed", self_timed ? "true" : "false");
  for (const auto& [flag, value] : given.GetObject())
    if (!is_upstreams(text_of(&flag)))
      out.emplace_back(underscored(text_of(&flag)), to_text(value));
  return out;
}

std::string_view find(const arguments& all, std::string_view name) {
  const auto at = std::ranges::find(all, name, &arguments::value_type::first);
  return at == all.end() ? std::string_view() : std::string_view(at->second);
}

}  // namespace reporters
