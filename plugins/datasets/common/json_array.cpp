#include "json_array.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include <rapidjson/error/en.h>

#include <inferbench/guard.hpp>

namespace files {

// A backslash and a u have been read. Four digits follow, unless the backslash itself was escaped.
void json_stream::see_unit() {
  const std::string_view before(begin_, static_cast<std::size_t>(src_ - begin_) - 1);
  const auto other = before.find_last_not_of('\\');
  const std::size_t backslashes = before.size() - (other == before.npos ? 0 : other + 1);
  if (backslashes % 2 == 0) return;
  const std::string_view rest(src_, static_cast<std::size_t>(end_ - src_));
  const auto unit = [&](std::size_t at) {
    unsigned code = 0;
    const std::string_view digits = rest.substr(std::min(at, rest.size()), 4);
    const char* const end = digits.data() + digits.size();
    return digits.size() == 4 && std::from_chars(digits.data(), end, code, 16).ptr == end ? code
                                                                                          : 0U;
  };
  if (std::exchange(low_, false)) return;
  const unsigned code = unit(0);
  const bool high = code >= 0xD800 && code <= 0xDBFF;
  const auto is_low = [](unsigned c) { return c >= 0xDC00 && c <= 0xDFFF; };
  if (high && rest.substr(4).starts_with("\\u") && is_low(unit(6)))
    low_ = true;
  else if (high || is_low(code))
    half_ = 4;
}

array_walk::array_walk(const text_file& file) : file_(&file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (file.text().starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  skip_blanks();
  const std::string_view text = file.text();
  if (at_ == text.size()) refuse(at_, "the file is empty; a JSON array of rows is needed");
  if (text[at_] != '[') refuse(at_, "the file is not a JSON array of rows");
  ++at_;
}

void array_walk::skip_blanks() {
  const std::string_view text = file_->text();
  while (at_ < text.size() &&
         (text[at_] == ' ' || text[at_] == '\n' || text[at_] == '\r' || text[at_] == '\t'))
    ++at_;
}

bool array_walk::to_element() {
  const std::string_view text = file_->text();
  const auto here = [&] { return at_ < text.size() ? text[at_] : '\0'; };
  skip_blanks();
  if (here() == ']') {
    const std::size_t end = at_++;
    skip_blanks();
    if (at_ < text.size()) refuse(at_, "malformed JSON: text after the end of the array");
    at_ = end;  // further calls have the same result
    return false;
  }
  if (count_ > 0) {
    if (at_ == text.size()) refuse(at_, "malformed JSON: the file ends inside the array");
    if (here() != ',') refuse(at_, "malformed JSON: a row is not followed by a comma or ]");
    ++at_;
    skip_blanks();
  }
  if (at_ == text.size()) refuse(at_, "malformed JSON: the file ends inside the array");
  ++count_;
  return true;
}

void array_walk::refuse(std::size_t offset, const std::string& what) const {
  throw ifb::failure(IFB_E_DATA, file_->place(offset) + ": " + what, "path");
}

void array_walk::malformed(std::size_t offset, rapidjson::ParseErrorCode code) const {
  std::string what;
  if (offset >= file_->text().size()) {
    what = "the file ends inside a row";
  } else if (code == rapidjson::kParseErrorTermination) {
    what = "nested too deeply";
  } else if (code == rapidjson::kParseErrorDocumentEmpty) {
    what = "no value begins here";
  } else {
    what = said_of(code);
  }
  refuse(offset, "malformed JSON in record " + std::to_string(count_) + ": " + what);
}

std::string said_of(rapidjson::ParseErrorCode code) {
  std::string out = rapidjson::GetParseError_En(code);
  if (out.ends_with('.')) out.pop_back();
  out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

bool parse_element(const text_file& file, std::size_t offset, rapidjson::Document& out) {
  constexpr unsigned flags = json_flags | rapidjson::kParseValidateEncodingFlag;
  json_stream stream(file.text().substr(offset));
  out.ParseStream<flags>(stream);
  if (!out.HasParseError()) return true;
  if (out.GetParseError() == rapidjson::kParseErrorStringInvalidEncoding) return false;
  throw ifb::failure(IFB_E_DATA,
                     file.place(offset + out.GetErrorOffset()) + ": changed while it was in use",
                     "path");
}

std::optional<std::string_view> string_of(const rapidjson::Value* value) {
  if (value == nullptr || !value->IsString()) return std::nullopt;
  return std::string_view(value->GetString(), value->GetStringLength());
}

bool is_blank(const rapidjson::Value* value) {
  if (value == nullptr || value->IsNull() || value->IsFalse()) return true;
  if (value->IsString()) return value->GetStringLength() == 0;
  if (value->IsArray()) return value->Empty();
  if (value->IsObject()) return value->ObjectEmpty();
  return value->IsNumber() && value->GetDouble() == 0;
}

}  // namespace files
