#include "schema_pointer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include <inferbench/json_reader.hpp>

#include "prepared_schema.hpp"

namespace scorers {
namespace {

/// Quotes the beginning of a text of a schema for a message, which is one line.
std::string quoted(std::string_view text) {
  std::string out(ifb::cut_utf8(text, 200));
  std::ranges::replace_if(out, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return out;
}

[[noreturn]] void refuse(std::string_view ref) {
  throw unusable_schema("it refers to " + quoted(ref) + ", which it does not have");
}

/// Replaces %XX.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint8_t byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const char* const end = text.data() + i + 3;
      const auto [stop, problem] = std::from_chars(text.data() + i + 1, end, byte, 16);
      if (problem == std::errc() && stop == end) {
        out += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

/// Replaces ~1 and ~0.
std::string unescaped(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1'))
      out += step[++i] == '0' ? '~' : '/';
    else
      out += step[i];
  }
  return out;
}

const rapidjson::Value* below(const rapidjson::Value& from, const std::string& step) {
  if (!from.IsArray()) return ifb::find(from, step);
  rapidjson::SizeType index = 0;
  const char* const end = step.data() + step.size();
  const auto [stop, problem] = std::from_chars(step.data(), end, index);
  const bool there = problem == std::errc() && stop == end && index < from.Size();
  return there ? &from[index] : nullptr;
}

/// Returns the schema's name, without an empty fragment.
std::string_view name_of(const rapidjson::Value& root) {
  std::string_view name = ifb::text_of(ifb::find(root, "$id"));
  if (name.empty()) name = ifb::text_of(ifb::find(root, "id"));
  return name.substr(0, name.find('#'));
}

}  // namespace

const rapidjson::Value& referred(const rapidjson::Value& root, std::string_view ref) {
  const std::size_t sharp = std::min(ref.find('#'), ref.size());
  const std::string_view document = ref.substr(0, sharp);
  if (!document.empty() && document != name_of(root))
    throw unusable_schema("it refers to another document, " + quoted(ref));
  const std::string pointer = percent_decoded(ref.substr(std::min(sharp + 1, ref.size())));
  const rapidjson::Value* at = &root;
  for (std::size_t begin = 0; begin < pointer.size();) {
    if (pointer[begin] != '/') refuse(ref);
    const std::size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
    at = below(*at, unescaped(std::string_view(pointer).substr(begin + 1, end - begin - 1)));
    if (at == nullptr) refuse(ref);
    begin = end;
  }
  return *at;
}

}  // namespace scorers
