#include "simulator/large_body.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace inferbench::simulator {

namespace {

/// A string of the body that is empty in the shortened text.
struct left_out {
  std::string_view text;
  std::size_t end;  // offset in the shortened text, behind the closing quote
};

/// Whether RapidJSON would take the characters as they are.
bool is_plain(std::string_view text) noexcept {
  constexpr std::size_t block = 4096;
  for (; !text.empty(); text.remove_prefix(std::min(block, text.size()))) {
    // Without a branch for each character, so that the compiler uses vectors. Bytes outside ASCII
    // are negative.
    unsigned other = 0;
    for (const char c : text.substr(0, block))
      other |= static_cast<unsigned>(static_cast<signed char>(c) < 0x20) |
               static_cast<unsigned>(c == '\\');
    if (other != 0) return false;
  }
  return true;
}

/// Finds the strings of a body one after another. A quote outside a string begins a string, also in
/// a text that is not JSON, so a parser would find the same strings.
class string_finder {
 public:
  explicit string_finder(std::string_view body) : body_(body), quotes_left_(body.size() / 64) {}

  /// Moves to the next string. False if there is none, or after so many quotes that the search
  /// would take a tenth of the time of a parser that reads everything.
  bool next() noexcept {
    const std::size_t open = quote_from(end_);
    if (open == std::string_view::npos) return false;
    begin_ = open + 1;
    for (std::size_t from = begin_;;) {
      const std::size_t quote = quote_from(from);
      if (quote == std::string_view::npos) return false;
      std::size_t escape = quote;
      while (escape > from && body_[escape - 1] == '\\')
        --escape;
      from = quote + 1;
      if ((quote - escape) % 2 != 0) continue;
      end_ = from;
      return true;
    }
  }

  /// Offsets of the first character of the string, and behind its closing quote.
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::size_t end() const noexcept { return end_; }
  [[nodiscard]] std::string_view text() const noexcept {
    return body_.substr(begin_, end_ - 1 - begin_);
  }

 private:
  std::size_t quote_from(std::size_t at) noexcept {
    return quotes_left_-- == 0 ? std::string_view::npos : body_.find('"', at);
  }

  std::string_view body_;
  std::size_t quotes_left_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// The body without the characters of its long plain strings. A parser finds the same errors in
/// both texts.
std::string shortened(std::string_view body, std::vector<left_out>& strings) {
  std::string out;
  std::size_t copied = 0;
  for (string_finder found(body); found.next();) {
    const std::string_view text = found.text();
    if (text.size() < shortest_long_string || text.size() > UINT32_MAX || !is_plain(text)) continue;
    out.append(body.substr(copied, found.begin() - copied)).append(1, '"');
    strings.push_back({text, out.size()});
    copied = found.end();
  }
  if (!strings.empty()) out.append(body.substr(copied));
  return out;
}

using text_stream = rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream>;

/// Builds the document, with the strings that were left out.
class referring_handler {
 public:
  referring_handler(rapidjson::Document& out, const text_stream& in,
                    const std::vector<left_out>& strings)
      : out_(out), in_(in), strings_(strings) {}

  bool Null() { return out_.Null(); }
  bool Bool(bool value) { return out_.Bool(value); }
  bool Int(int value) { return out_.Int(value); }
  bool Uint(unsigned value) { return out_.Uint(value); }
  bool Int64(std::int64_t value) { return out_.Int64(value); }
  bool Uint64(std::uint64_t value) { return out_.Uint64(value); }
  bool Double(double value) { return out_.Double(value); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool copy) {
    return out_.RawNumber(text, size, copy);
  }
  // The stream is behind the closing quote of the string.
  bool String(const char* text, rapidjson::SizeType size, bool copy) {
    if (next_ == strings_.size() || strings_[next_].end != in_.Tell())
      return out_.String(text, size, copy);
    const std::string_view full = strings_[next_++].text;
    return out_.String(full.data(), static_cast<rapidjson::SizeType>(full.size()), false);
  }
  bool Key(const char* text, rapidjson::SizeType size, bool copy) {
    return String(text, size, copy);
  }
  bool StartObject() { return out_.StartObject(); }
  bool EndObject(rapidjson::SizeType members) { return out_.EndObject(members); }
  bool StartArray() { return out_.StartArray(); }
  bool EndArray(rapidjson::SizeType items) { return out_.EndArray(items); }

 private:
  rapidjson::Document& out_;
  const text_stream& in_;
  const std::vector<left_out>& strings_;
  std::size_t next_ = 0;
};

}  // namespace

bool parse_large_body(std::string_view body, rapidjson::Document& out) {
  std::vector<left_out> strings;
  const std::string text = shortened(body, strings);
  if (strings.empty()) return false;
  bool good = false;
  const auto parse = [&](rapidjson::Document& into) {
    rapidjson::MemoryStream bytes(text.data(), text.size());
    text_stream in(bytes);
    referring_handler handler(into, in, strings);
    constexpr unsigned flags =
        rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
    good = !rapidjson::Reader().Parse<flags>(in, handler).IsError();
    return good;
  };
  out.Populate(parse);
  return good;
}

}  // namespace inferbench::simulator
