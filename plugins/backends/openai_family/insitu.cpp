#include "insitu.hpp"

#include <cstring>

#include "backends/bodies/json.hpp"

namespace openai {
namespace {

constexpr std::size_t spare = 32;  // bytes after a text; rapidjson.hpp gives the reason

}  // namespace

void insitu::reserve(std::size_t size) {
  const std::size_t needed = size + spare;
  if (capacity_ >= needed) return;
  const std::size_t capacity = (needed + needed / 2 + 15) / 16 * 16;
  buffer_.reset(static_cast<char*>(::operator new[](capacity, std::align_val_t{16})));
  capacity_ = capacity;
}

void insitu::load(std::string_view text) {
  reserve(text.size());
  std::memcpy(buffer_.get(), text.data(), text.size());
  std::memset(buffer_.get() + text.size(), 0, spare);
}

// Some servers (written in JavaScript) count text in UTF-16 units. They send a character outside
// the basic multilingual plane as two events.
void insitu::mend_surrogates(char* text, std::size_t size) noexcept {
  const auto unit = [&](std::size_t at) -> unsigned {  // returns the unit of \uXXXX at `at`, or 0
    if (at + 6 > size || text[at] != '\\' || text[at + 1] != 'u') return 0;
    unsigned code = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) {
      const char c = text[i];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9')
        code = code << 4U | static_cast<unsigned>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        code = code << 4U | static_cast<unsigned>(lower - 'a' + 10);
      else
        return 0;
    }
    return code;
  };
  const auto high = [](unsigned code) { return code >= 0xD800 && code <= 0xDBFF; };
  const auto low = [](unsigned code) { return code >= 0xDC00 && code <= 0xDFFF; };
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (text[i] != '\\') continue;
    const unsigned code = unit(i);
    if (high(code) && low(unit(i + 6)))
      i += 11;
    else if (high(code) || low(code))
      std::memcpy(text + i + 2, "FFFD", 4), i += 5;
    else
      ++i;  // steps over the escaped character
  }
}

std::string not_json(const rapidjson::ParseResult& result, std::string_view data) {
  return "the server sent something that is not JSON (at byte " +
         std::to_string(result.Offset() + 1) + ": " + rapidjson::GetParseError_En(result.Code()) +
         "): " + bodies::excerpt(data);
}

std::string no_object(std::string_view data) {
  return "the server sent JSON that is not an object: " + bodies::excerpt(data);
}

std::string error_text(std::string_view data) {
  std::string why;
  const auto members = bodies::object_members(data, why);
  if (!members) return bodies::excerpt(data);
  const bodies::member* error = nullptr;
  for (const auto& m : *members) {
    if (m.key == "error") error = &m;  // if there are two, the later one counts
  }
  return error != nullptr && error->value != "null" ? error->value : std::string(data);
}

}  // namespace openai
