#include "simulator/body_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <rapidjson/error/en.h>

#include "base/text.hpp"
#include "simulator/large_body.hpp"

namespace inferbench::simulator {

refusal bad_request(std::string param, std::string message) {
  return {400, std::move(message), std::move(param)};
}

std::optional<refusal> check_json_type(std::string_view content_type) {
  const std::string_view type = base::trim(content_type.substr(0, content_type.find(';')));
  if (type.empty() || base::equal_no_case(type, "application/json")) return std::nullopt;
  return bad_request({}, "Unsupported Media Type: Only 'application/json' is allowed");
}

std::optional<refusal> parse_body(std::string_view body, rapidjson::Document& out) {
  const bool parsed = body.size() >= smallest_large_body && parse_large_body(body, out);
  // Iterative parsing: with recursion, a million nested brackets would overflow the stack.
  if (!parsed)
    out.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(body.data(),
                                                                                      body.size());
  if (!parsed && out.HasParseError())
    return bad_request({}, "The body is malformed JSON at byte " +
                               std::to_string(out.GetErrorOffset()) + ": " +
                               rapidjson::GetParseError_En(out.GetParseError()));
  if (!out.IsObject()) return bad_request({}, "The body must be a JSON object.");
  return std::nullopt;
}

bool read_ids(const base::json_value& list, std::string& out) {
  out.resize(list.Size() * sizeof(std::uint32_t));
  char* at = out.data();
  for (const auto& item : list.GetArray()) {
    if (!item.IsUint()) return false;
    const std::uint32_t id = item.GetUint();
    std::memcpy(at, &id, sizeof id);
    at += sizeof id;
  }
  return !list.Empty();
}

const base::json_value* body_reader::find(const char* name) const noexcept {
  if (no_) return nullptr;
  const base::json_value* const value = base::find(object_, name);
  return value != nullptr && value->IsNull() ? nullptr : value;
}

const base::json_value* body_reader::required(const char* name) {
  const base::json_value* const value = find(name);
  if (value == nullptr) refuse(name, "is missing.");
  return value;
}

void body_reader::flag(const char* name, bool& out) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  if (!value->IsBool()) return refuse(name, "must be true or false.");
  out = value->GetBool();
}

void body_reader::text(const char* name, std::string& out) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  if (!value->IsString()) return refuse(name, "must be a text.");
  out = base::text_of(value);
}

void body_reader::count(const char* name, std::uint64_t minimum,
                        std::optional<std::uint64_t>& out) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  if (!value->IsUint64() || value->GetUint64() < minimum)
    return refuse(name, "must be a whole number of at least " + std::to_string(minimum) + ".");
  out = value->GetUint64();
}

void body_reader::integer(const char* name, std::int64_t minimum,
                          std::optional<std::int64_t>& out) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  if (!value->IsInt64() || value->GetInt64() < minimum)
    return refuse(name, "must be a whole number of at least " + std::to_string(minimum) + ".");
  out = value->GetInt64();
}

void body_reader::choice(const char* name, std::initializer_list<std::string_view> of,
                         std::string_view& out) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  const auto* const found = std::ranges::find(of, base::text_of(value));
  if (value->IsString() && found != of.end()) {
    out = *found;
    return;
  }
  std::string allowed;
  for (const std::string_view& each : of) {
    if (!allowed.empty()) allowed += &each == of.end() - 1 ? " or " : ", ";
    allowed += each;
  }
  refuse(name, "must be " + allowed + ".");
}

void body_reader::number(const char* name, double minimum, double maximum) {
  const base::json_value* const value = find(name);
  if (value == nullptr) return;
  if (value->IsNumber() && value->GetDouble() >= minimum && value->GetDouble() <= maximum) return;
  refuse(name, "must be a number from " + base::shortest(minimum) + " to " +
                   base::shortest(maximum) + ".");
}

void body_reader::object(const char* name) {
  const base::json_value* const value = find(name);
  if (value != nullptr && !value->IsObject()) refuse(name, "must be an object.");
}

void body_reader::list(const char* name) {
  const base::json_value* const value = find(name);
  if (value != nullptr && !value->IsArray()) refuse(name, "must be a list.");
}

void body_reader::refuse(std::string_view name, std::string_view clause, int status) {
  if (no_) return;
  std::string param = inside_;
  param += name;
  std::string message = param;
  message.append(" ").append(clause);
  no_ = refusal{status, std::move(message), std::move(param)};
}

void body_reader::refuse(std::optional<refusal> no) {
  if (!no_) no_ = std::move(no);
}

}  // namespace inferbench::simulator
