#include "json.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "rapidjson.hpp"

namespace bodies {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The number of bytes that an ASCII character needs inside a JSON string; 0 for all other bytes.
constexpr std::array<std::uint8_t, 256> make_widths() {
  std::array<std::uint8_t, 256> widths{};
  for (std::size_t c = 0; c < 0x80; ++c)
    widths[c] = c < 0x20 ? 6 : 1;
  for (const char c : {'"', '\\', '\n', '\r', '\t', '\b', '\f'})
    widths[static_cast<unsigned char>(c)] = 2;
  return widths;
}
constexpr auto widths = make_widths();

char short_escape(char c) noexcept {
  switch (c) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return c;
  }
}

char* append(char* out, std::string_view text) noexcept {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Returns whether `text` begins with half a surrogate pair in three bytes, which RapidJSON makes
/// from a lone \uDC00.
bool is_surrogate(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  return text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
         (byte(2) & 0xC0U) == 0x80;
}

/// Returns an offset that is at most eight bytes before the first byte that is not ASCII; the size
/// of `text` if all bytes are ASCII.
std::size_t ascii_prefix(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & high_bits) != 0) return i;
  }
  unsigned bits = 0;
  for (std::size_t k = i; k < text.size(); ++k)
    bits |= static_cast<unsigned char>(text[k]);
  return bits < 0x80 ? text.size() : i;
}

using text_writer = rapidjson::Writer<rapidjson::StringBuffer>;

/// Cuts an object into its members. Each number keeps its spelling: 1.0 stays 1.0, and 2^70 is not
/// rounded.
class splitter {
 public:
  explicit splitter(std::vector<member>& out) : out_(out) {}

  bool Null() { return value() && writer_.Null() && ended(); }
  bool Bool(bool b) { return value() && writer_.Bool(b) && ended(); }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool) {
    return value() && writer_.RawValue(s, n, rapidjson::kNumberType) && ended();
  }
  bool String(const char* s, rapidjson::SizeType n, bool) {
    return value() && writer_.String(s, n) && ended();
  }
  bool Key(const char* s, rapidjson::SizeType n, bool) {
    if (depth_ > 1) return writer_.Key(s, n);
    out_.push_back({std::string(s, n), {}});
    text_.Clear();
    writer_.Reset(text_);
    return true;
  }
  bool StartObject() { return ++depth_ == 1 || writer_.StartObject(); }
  bool EndObject(rapidjson::SizeType n) {
    if (--depth_ == 0) return true;
    return writer_.EndObject(n) && ended();
  }
  bool StartArray() {
    if (depth_ == 0) return false;
    ++depth_;
    return writer_.StartArray();
  }
  bool EndArray(rapidjson::SizeType n) {
    --depth_;
    return writer_.EndArray(n) && ended();
  }

 private:
  [[nodiscard]] bool value() const { return depth_ > 0; }
  bool ended() {
    if (depth_ == 1) out_.back().value.assign(text_.GetString(), text_.GetSize());
    return true;
  }

  std::vector<member>& out_;
  rapidjson::StringBuffer text_;
  text_writer writer_{text_};
  std::size_t depth_ = 0;
};

/// Keeps the last string of the parsed text.
struct text_keeper : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, text_keeper> {
  std::string text;
  bool String(const char* s, rapidjson::SizeType n, bool) { return text.assign(s, n), true; }
};

/// Returns how many bytes at the beginning of `text` are ASCII and need no escape in a JSON string.
std::size_t plain_prefix(std::string_view text) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  // Sets the high bit for each of the eight ASCII bytes that is less than `least`.
  const auto below = [](std::uint64_t word, std::uint64_t least) {
    return ~((word | high_bits) - ones * least) & high_bits;
  };
  std::size_t i = 0;
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    const std::uint64_t odd = (word & high_bits) | below(word, 0x20) | below(word ^ ones * '"', 1) |
                              below(word ^ ones * '\\', 1);
    if (odd == 0) continue;
    const int before =
        std::endian::native == std::endian::little ? std::countr_zero(odd) : std::countl_zero(odd);
    return i + static_cast<std::size_t>(before) / 8;
  }
  while (i < text.size() && widths[static_cast<unsigned char>(text[i])] == 1)
    ++i;
  return i;
}

}  // namespace

escaped_size measure(std::string_view text) noexcept {
  escaped_size result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t width = widths[static_cast<unsigned char>(text[i])];
    if (width == 1) {
      const std::size_t plain = plain_prefix(text.substr(i));
      result.size += plain;
      i += plain;
      continue;
    }
    if (width != 0) {
      result.size += width;
      result.unchanged = false;
      ++i;
      continue;
    }
    const auto [length, good] = ifb::utf8_sequence(text.substr(i));
    result.size += good ? length : replacement.size();
    result.unchanged &= good;
    i += length;
  }
  return result;
}

char* write_escaped(char* out, std::string_view text) noexcept {
  constexpr std::string_view hex = "0123456789abcdef";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    switch (widths[code]) {
      case 1: {
        const std::size_t plain = plain_prefix(text.substr(i));
        out = append(out, text.substr(i, plain));
        i += plain;
        break;
      }
      case 2:
        *out++ = '\\';
        *out++ = short_escape(c);
        ++i;
        break;
      case 6:
        out = append(out, "\\u00");
        *out++ = hex[code >> 4U];
        *out++ = hex[code & 15U];
        ++i;
        break;
      default: {
        const auto [length, good] = ifb::utf8_sequence(text.substr(i));
        out = append(out, good ? text.substr(i, length) : replacement);
        i += length;
      }
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out(measure(text).size + 2, '"');
  write_escaped(out.data() + 1, text);
  return out;
}

std::string_view valid_utf8(std::string_view text, std::string& scratch) {
  std::size_t i = ascii_prefix(text);
  if (i == text.size()) return text;
  while (i < text.size()) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(i));
    if (!good) break;
    i += length;
  }
  if (i == text.size()) return text;
  scratch.assign(text.substr(0, i));
  while (i < text.size()) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(i));
    scratch += good ? text.substr(i, length) : replacement;
    i += good || !is_surrogate(text.substr(i)) ? length : 3;
  }
  return scratch;
}

std::string excerpt(std::string_view data) {
  constexpr std::size_t limit = 200;
  std::string out;
  std::size_t i = 0;
  while (i < data.size()) {
    const auto [length, good] = ifb::utf8_sequence(data.substr(i));
    if (i + length > limit) break;
    const bool control = length == 1 && static_cast<unsigned char>(data[i]) < 0x20;
    out += control ? " " : good ? data.substr(i, length) : replacement;
    i += length;
  }
  if (i < data.size()) out += "...";
  return out;
}

std::optional<std::vector<member>> object_members(std::string_view text, std::string& why) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag |
                             rapidjson::kParseNumbersAsStringsFlag |
                             rapidjson::kParseValidateEncodingFlag;
  std::vector<member> members;
  splitter split(members);
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(text.data(), text.size());
  const auto result = reader.Parse<flags>(stream, split);
  if (result.Code() == rapidjson::kParseErrorTermination) {
    why = "the JSON value is not an object";
    return std::nullopt;
  }
  if (result.IsError()) {
    why = std::string("malformed JSON at byte ") + std::to_string(result.Offset() + 1) + ": " +
          rapidjson::GetParseError_En(result.Code());
    return std::nullopt;
  }
  if (stream.Tell() != text.size()) {
    why = "malformed JSON at byte " + std::to_string(stream.Tell() + 1) + ": a NUL";
    return std::nullopt;
  }
  return members;
}

std::string string_value(std::string_view json) {
  text_keeper keep;
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(json.data(), json.size());
  reader.Parse<rapidjson::kParseDefaultFlags>(stream, keep);
  return std::move(keep.text);
}

}  // namespace bodies
