#include "lengths.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include <rapidjson/document.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

namespace {

constexpr const char* option = "range-ratio";

[[noreturn]] void refuse(const std::string& what) {
  throw ifb::failure(IFB_E_CONFIG, what, option);
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
    const auto at = value.FindMember(name);
    if (at == value.MemberEnd() || !at->value.IsNumber())
      refuse(
          "a range ratio in parts needs two numbers, input and output, as in "
          "{\"input\": 0.5, \"output\": 0.2}");
    return at->value.GetDouble();
  };
  if (value.IsNumber()) {
    const double both = value.GetDouble();
    return {checked(both, "input"), checked(both, "output")};
  }
  if (value.IsObject())
    return {checked(member("input"), "input"), checked(member("output"), "output")};
  refuse("a range ratio is a number or an object with input and output");
}

}  // namespace

range_ratio range_ratio::parse(std::string_view json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (!document.HasParseError() && !document.IsString()) return from(document);

  // Text: Python takes ".5" and "1e-1 " as numbers, JSON does not.
  std::string_view text = json;
  if (!document.HasParseError()) text = {document.GetString(), document.GetStringLength()};
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  double both = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), both);
  if (error == std::errc{} && end == text.data() + text.size())
    return {checked(both, "input"), checked(both, "output")};
  rapidjson::Document inner;
  inner.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (inner.HasParseError()) refuse("not a number and not JSON: " + std::string(text));
  return from(inner);
}

interval input_lengths(std::int64_t mean, std::int64_t special, double ratio) {
  const auto real = static_cast<double>(std::max<std::int64_t>(0, mean - special));
  return {static_cast<std::int64_t>(std::floor(real * (1 - ratio))),
          static_cast<std::int64_t>(std::ceil(real * (1 + ratio)))};
}

interval output_lengths(std::int64_t mean, double ratio) {
  const auto real = static_cast<double>(mean);
  const auto at_least_one = [](double x) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(x));
  };
  return {at_least_one(std::floor(real * (1 - ratio))),
          at_least_one(std::ceil(real * (1 + ratio)))};
}

std::vector<draw> draw_all(ifb::numpy_pcg64& random, std::size_t count, interval inputs,
                           interval outputs, std::int64_t vocabulary) {
  std::vector<draw> out(count);
  const auto next = [&](interval from) {
    return static_cast<std::uint32_t>(random.integer(from.low, from.high + 1));
  };
  for (draw& each : out)
    each.input = next(inputs);
  for (draw& each : out)
    each.output = next(outputs);
  for (draw& each : out)
    each.offset = next({0, vocabulary - 1});
  return out;
}
