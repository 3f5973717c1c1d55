#include <charconv>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "json.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

/// Builds values from the events of a parser, without recursion.
class builder {
 public:
  explicit builder(rendering& r) : m_(r) {}

  bool Null() { return add(value::none()); }
  bool Bool(bool of) { return add(value(of)); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    const std::string_view digits(text, size);
    if (digits.find_first_of(".eE") != std::string_view::npos)
      return add(value(*parse_real(digits)));
    return add(value(*parse_integer(digits, 10)));
  }
  // Numbers arrive only as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return add(m_.text(std::string(text, size)));
  }
  bool StartObject() { return open(); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    open_.back().push_back(m_.text(std::string(text, size)));
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    values items = std::move(open_.back());
    open_.pop_back();
    auto* const made = m_.dict(items.size() / 2);
    const value out(made);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
      made->put(std::move(items[i]), std::move(items[i + 1]));
    return add(out);
  }
  bool StartArray() { return open(); }
  bool EndArray(rapidjson::SizeType) {
    values items = std::move(open_.back());
    open_.pop_back();
    return add(m_.list(std::move(items)));
  }

  value result;

 private:
  bool open() {
    open_.emplace_back();
    m_.allow(open_.size() * sizeof(values));
    return true;
  }

  bool add(value of) {
    if (open_.empty())
      result = std::move(of);
    else
      open_.back().push_back(std::move(of));
    return true;
  }

  rendering& m_;
  std::vector<values> open_;
};

value borrowed(rendering& r, const rapidjson::Value& from) {
  const std::string_view text(from.GetString(), from.GetStringLength());
  if (!unicode::valid(text)) raise("UnicodeDecodeError", "the context is not valid UTF-8");
  r.work(text.size());
  return r.make<text_object>(text);
}

}  // namespace

value read_json(rendering& r, std::string_view text) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag |
                             rapidjson::kParseNumbersAsStringsFlag |
                             rapidjson::kParseValidateEncodingFlag;
  builder out(r);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, out);
  if (result.IsError())
    raise_value(
        "the context is not JSON: " + std::string(rapidjson::GetParseError_En(result.Code())) +
        " (byte " + std::to_string(result.Offset()) + ")");
  return out.result;
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by the guard
value read_json(rendering& r, const rapidjson::Value& from) {
  r.stack.check();
  switch (from.GetType()) {
    case rapidjson::kNullType: return value::none();
    case rapidjson::kFalseType: return value(false);
    case rapidjson::kTrueType: return value(true);
    case rapidjson::kStringType: return borrowed(r, from);
    case rapidjson::kNumberType:
      if (from.IsInt64()) return value(from.GetInt64());
      if (from.IsUint64())
        raise("OverflowError", "integers of more than 64 bits are not supported in chat templates");
      return value(from.GetDouble());
    case rapidjson::kArrayType: {
      values items;
      items.reserve(from.Size());
      for (const auto& item : from.GetArray())
        items.push_back(read_json(r, item));
      return r.list(std::move(items));
    }
    case rapidjson::kObjectType: {
      auto* const made = r.dict(from.MemberCount());
      const value out(made);
      for (const auto& member : from.GetObject())
        made->put(borrowed(r, member.name), read_json(r, member.value));
      return out;
    }
  }
  return {};
}

}  // namespace jinja
