#include "answer_length.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace prompts {

namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
  text = ifb::trim(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [at, wrong] = std::from_chars(text.data(), end, out);
  if (wrong != std::errc{} || at != end) return std::nullopt;
  return out;
}

std::optional<std::int64_t> number_of(const rapidjson::Value& value) {
  if (const auto text = files::string_of(&value)) return number_of(*text);
  if (value.IsBool()) return value.GetBool() ? 1 : 0;
  if (value.IsInt64()) return value.GetInt64();
  if (!value.IsNumber()) return std::nullopt;
  const double number = value.GetDouble();
  if (!std::isfinite(number)) return std::nullopt;
  // Numbers of this size are refused later, whatever their exact value.
  return number >= 1e18    ? INT64_MAX
         : number <= -1e18 ? INT64_MIN
                           : std::llround(std::trunc(number));
}

std::string quoted(const rapidjson::Value& value) {
  if (value.IsArray()) return "a list";
  if (value.IsObject()) return "an object";
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
                    rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>
      writer(text);
  value.Accept(writer);
  return std::string(ifb::cut_utf8({text.GetString(), text.GetSize()}, 100));
}

}  // namespace

void check_answer_length(std::int64_t chosen) {
  if (chosen == of_each_row || (chosen >= 1 && chosen <= longest_answer)) return;
  throw ifb::failure(IFB_E_CONFIG,
                     "an answer has 1 to " + std::to_string(longest_answer) +
                         " tokens, or -1 for as many as its row says; not " +
                         std::to_string(chosen),
                     "output-len");
}

std::int64_t answer_length_of(const files::json_row& row) {
  const rapidjson::Value* const value = files::find(row.object(), "output_tokens");
  if (value == nullptr)
    row.refuse(
        "the row has no \"output_tokens\", which is needed because the output length is -1; "
        "the row has only " +
        row.members());
  const auto tokens = number_of(*value);
  if (!tokens) row.refuse("\"output_tokens\" must be a number, not " + quoted(*value));
  if (*tokens < 1 || *tokens > longest_answer)
    row.refuse("\"output_tokens\" must be 1 to " + std::to_string(longest_answer) + ", not " +
               quoted(*value));
  return *tokens;
}

}  // namespace prompts
