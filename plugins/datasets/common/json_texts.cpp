#include "json_texts.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace files {

namespace {

/// Writes the text of one member of a row from the parser's events.
class keeper {
 public:
  explicit keeper(std::string_view name) : name_(name) {}

  std::vector<std::string> texts;

  bool Null() { return !begins() || (writer_.Null() && ends()); }
  bool Bool(bool b) { return !begins() || (writer_.Bool(b) && ends()); }
  // Numbers arrive only as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool) {
    return !begins() || (writer_.RawValue(s, n, rapidjson::kNumberType) && ends());
  }
  bool String(const char* s, rapidjson::SizeType n, bool) {
    return !begins() || (writer_.String(s, n) && ends());
  }
  bool Key(const char* s, rapidjson::SizeType n, bool) {
    if (level_ > 1) return !wanted_ || writer_.Key(s, n);
    wanted_ = std::string_view(s, n) == name_;
    base_ = 1;
    if (wanted_) texts.clear();  // if there are several members of this name, the last one counts
    return true;
  }
  bool StartObject() {
    const bool kept = begins();
    ++level_;
    return !kept || writer_.StartObject();
  }
  bool EndObject(rapidjson::SizeType n) {
    --level_;
    return !keeps() || (writer_.EndObject(n) && ends());
  }
  bool StartArray() {
    if (wanted_ && level_ == 1) {
      base_ = ++level_;
      return true;
    }
    const bool kept = begins();
    ++level_;
    return !kept || writer_.StartArray();
  }
  bool EndArray(rapidjson::SizeType n) {
    --level_;
    return !keeps() || (writer_.EndArray(n) && ends());
  }

 private:
  // Returns whether a value at this level belongs to a text.
  [[nodiscard]] bool keeps() const { return wanted_ && level_ >= base_; }
  bool begins() {
    if (!keeps()) return false;
    if (level_ == base_) {
      buffer_.Clear();
      writer_.Reset(buffer_);
    }
    return true;
  }
  bool ends() {
    if (level_ == base_) texts.emplace_back(buffer_.GetString(), buffer_.GetSize());
    return true;
  }

  std::string_view name_;
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
  std::size_t level_ = 0;  // number of open objects and lists
  std::size_t base_ = 1;   // the level at which a whole text begins
  bool wanted_ = false;    // whether the parser is in the wanted member
};

}  // namespace

std::vector<std::string> texts_of(const json_row& row, std::string_view name) {
  constexpr unsigned flags = (json_flags & ~unsigned{rapidjson::kParseNanAndInfFlag}) |
                             rapidjson::kParseNumbersAsStringsFlag;
  keeper found(name);
  rapidjson::Reader reader;
  json_stream stream(row.text());
  if (reader.Parse<flags>(stream, found).IsError())
    row.refuse("it holds NaN or Infinity, which JSON does not have and no server is sent");
  return std::move(found.texts);
}

}  // namespace files
