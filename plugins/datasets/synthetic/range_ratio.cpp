#include "range_ratio.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace synthetic {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw ifb::failure(IFB_E_CONFIG, what, "range-ratio");
}

double checked(double ratio, const char* which) {
  if (ratio >= 0 && ratio < 1) return ratio;
  std::string text;
  ifb::append_python_float(text, ratio);
  refuse(std::string("the range ratio of the ") + which + " length must be at least 0 and below " +
         "1, not " + text);
}

range_ratio from(const rapidjson::Value& value) {
  const auto member = [&](const char* name) {
    const auto* const at = ifb::find(value, name);
    if (at == nullptr || !at->IsNumber())
      refuse(std::string("the range ratio has no number \"") + name +
             "\"; give two numbers, as in {\"input\": 0.5, \"output\": 0.2}");
    return at->GetDouble();
  };
  if (value.IsNumber()) {
    const double both = value.GetDouble();
    return {checked(both, "input"), checked(both, "output")};
  }
  if (value.IsObject())
    return {checked(member("input"), "input"), checked(member("output"), "output")};
  refuse("the range ratio is neither a number nor an object with input and output");
}

}  // namespace

range_ratio range_ratio::parse(std::string_view json) {
  if (json.empty()) return {};
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (!document.HasParseError() && !document.IsString()) return from(document);

  // A text: Python reads ".5" and "1e-1 " as numbers, but JSON does not.
  std::string_view text = json;
  if (!document.HasParseError()) text = {document.GetString(), document.GetStringLength()};
  text = ifb::trim(text);
  double both = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), both);
  if (error == std::errc{} && end == text.data() + text.size())
    return {checked(both, "input"), checked(both, "output")};
  rapidjson::Document inner;
  inner.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (inner.HasParseError()) refuse("not a number and not JSON: " + std::string(text));
  return from(inner);
}

}  // namespace synthetic
