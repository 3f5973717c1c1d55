#include "pytext/python_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::pytext {

namespace {

using options::node;

constexpr unsigned python_flags = rapidjson::kParseFullPrecisionFlag |
                                  rapidjson::kParseValidateEncodingFlag |
                                  rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Line and column of offsets that never decrease; the start of the text is read once.
class json_place {
 public:
  json_place(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  base::source_position at(std::size_t offset) {
    for (offset = std::min(offset, text_.size()); seen_ < offset; ++seen_) {
      column_ = text_[seen_] == '\n' ? 1 : column_ + 1;
      line_ += text_[seen_] == '\n' ? 1U : 0U;
    }
    return {file_, line_, column_};
  }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t seen_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

[[noreturn]] void too_deep(base::source_position where) {
  throw base::error("JSON is nested more than " + std::to_string(options::deepest) + " levels deep",
                    "make it flatter", std::move(where));
}

/// Makes nodes from the events of RapidJSON's reader; its functions have the names that the reader
/// calls.
class node_maker {
 public:
  node_maker(std::string_view text, const rapidjson::MemoryStream& stream, const std::string& file,
             top_names top)
      : text_(text), stream_(stream), place_(text, file), top_(top) {}

  bool Null() { return scalar(node{}, 4); }
  bool Bool(bool value) { return scalar(node::of(value), value ? 4 : 5); }
  bool RawNumber(const char*, rapidjson::SizeType length, bool) {
    const std::string_view digits = text_.substr(end() - length, length);
    auto value = number(digits);
    if (!value) malformed(end() - length, "Invalid value");
    return scalar(std::move(*value), length);
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return scalar(node::of(readable({text, length})), end() - start_of_string());
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    std::string name = readable({text, length});
    if (top_ == top_names::unique && open_.size() == 1 && open_.front().find(name) != nullptr)
      throw base::error(python_repr(name) + " is there a second time",
                        "give each combination a name of its own", place_.at(start_of_string()));
    keys_.back() = std::move(name);
    return true;
  }
  bool StartObject() { return begin(node::table()); }
  bool EndObject(rapidjson::SizeType) { return finish(); }
  bool StartArray() { return begin(node::list()); }
  bool EndArray(rapidjson::SizeType) { return finish(); }
  // The reader gives every number as RawNumber().
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  node take() { return std::move(root_); }

  [[noreturn]] void malformed(std::size_t offset, std::string_view why) {
    if (why.ends_with('.')) why.remove_suffix(1);
    const std::string path = this->path();
    throw base::error(
        "malformed JSON" + (path.empty() ? "" : " at " + path) + ": " + std::string(why), {},
        place_.at(offset));
  }

 private:
  // The position behind the value that the reader has just read.
  std::size_t end() const { return stream_.Tell(); }

  // Within a JSON string each quotation mark has an odd number of backslashes before it. Before the
  // first quotation mark there is no backslash.
  std::size_t start_of_string() const {
    std::size_t at = end() - 1;
    do
      at = text_.rfind('"', at - 1);
    while (at > 0 && text_[at - 1] == '\\');
    return at;
  }

  // "[1].compilation_config.mode"
  std::string path() const {
    std::string out;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].is(node::kind::list))
        out += "[" + std::to_string(open_[i].items.size()) + "]";
      else if (!keys_[i].empty())
        out += (out.empty() ? "" : ".") + keys_[i];
    }
    return base::one_line(out);
  }

  std::string readable(std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
      malformed(start_of_string(), "a text contains \\u0000");
    if (base::valid_utf8(text) != text)
      malformed(start_of_string(), "a text contains half a surrogate pair");
    return std::string(text);
  }

  static std::optional<node> number(std::string_view digits) {
    if (digits == "NaN") return node::of(std::numeric_limits<double>::quiet_NaN());
    if (digits == "Infinity") return node::of(std::numeric_limits<double>::infinity());
    if (digits == "-Infinity") return node::of(-std::numeric_limits<double>::infinity());
    if (digits.find_first_of(".eE") != std::string_view::npos) {
      // The reader has checked the grammar. It refuses a number beyond the range of a double only
      // if the exponent is large; parse_number() makes other such numbers infinite, or zero.
      const auto real = base::parse_number(digits);
      return real ? std::optional(node::of(*real)) : std::nullopt;
    }
    if (digits.find_first_not_of("-0123456789") != std::string_view::npos) return std::nullopt;
    if (const auto whole = base::parse_int(digits)) return node::of(*whole);
    node big;
    big.type = node::kind::big;
    big.text = digits;
    return big;
  }

  bool scalar(node value, std::size_t length) {
    value.where = place_.at(end() - length);
    add(std::move(value));
    return true;
  }

  bool begin(node value) {
    value.where = place_.at(end());  // the iterative reader takes the bracket after this call
    if (open_.size() >= static_cast<std::size_t>(options::deepest)) too_deep(value.where);
    open_.push_back(std::move(value));
    keys_.emplace_back();
    return true;
  }

  bool finish() {
    node value = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    add(std::move(value));
    return true;
  }

  void add(node value) {
    if (open_.empty())
      root_ = std::move(value);
    else if (open_.back().is(node::kind::list))
      open_.back().items.push_back(std::move(value));
    else
      open_.back().set(keys_.back(), std::move(value));
  }

  std::string_view text_;
  const rapidjson::MemoryStream& stream_;
  json_place place_;
  top_names top_;
  node root_;
  std::vector<node> open_;         // the lists and objects that are not finished
  std::vector<std::string> keys_;  // the current key of each of them
};

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

// RapidJSON takes a zero byte for the end of the text.
void refuse_zero(std::string_view text, const std::string& file) {
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    throw base::error("malformed JSON: a zero byte", "write the file again",
                      json_place(text, file).at(zero));
}

/// Whether the text has an escape at `at` of half a surrogate pair: "d8" to "db" is the first half,
/// "dc" to "df" the second.
bool is_half(std::string_view text, std::size_t at, std::string_view digits) {
  const std::string_view escape = text.substr(std::min(at, text.size()), 6);
  return escape.size() == 6 && escape.starts_with("\\u") && (escape[2] | 0x20) == 'd' &&
         digits.find(static_cast<char>(escape[3] | 0x20)) != std::string_view::npos;
}

// The text with U+FFFD for each first half of a surrogate pair that stands alone. RapidJSON refuses
// it, and Python writes it for a text that was cut within a character.
std::string with_whole_pairs(std::string_view text) {
  std::string out(text);
  for (std::size_t at = out.find('\\'); at < out.size(); at = out.find('\\', at)) {
    const bool first = is_half(text, at, "89ab");
    const bool pair = first && is_half(text, at + 6, "cdef");
    if (first && !pair) out.replace(at, 6, "\\ufffd");
    at += pair ? 12 : first ? 6 : 2;
  }
  return out;
}

// The text, with the same length, in which each number beyond the range of a double is "Inf" or
// "-Inf", and each zero with an exponent "0.0": RapidJSON refuses large exponents, and Python does
// not.
std::string with_infinities(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size();) {
    if (out[at] == '"') {
      for (++at; at < out.size() && out[at] != '"'; ++at)
        if (out[at] == '\\') ++at;
      ++at;
      continue;
    }
    const auto end = std::min(out.find_first_not_of("+-.0123456789eE", at), out.size());
    if (end == at) {
      ++at;
      continue;
    }
    const std::string number = out.substr(at, end - at);
    char* rest = nullptr;
    const double value = std::strtod(number.c_str(), &rest);
    const bool infinite = std::isinf(value);
    const bool zero = value == 0 && number.find_first_of("eE") != std::string::npos;
    if (*rest == '\0' && (infinite || zero)) {
      std::string plain = std::signbit(value) ? "-" : "";
      plain += infinite ? "Inf" : "0.0";
      if (plain.size() <= number.size()) {
        plain.resize(number.size(), ' ');
        out.replace(at, number.size(), plain);
      }
    }
    at = end;
  }
  return out;
}

// Keeps the last of several members with the same name, at the place of the first, like a
// dictionary of Python.
void keep_last(ifb::json_value& object) {
  std::unordered_map<std::string_view, ifb::json_value*> kept;
  auto end = object.MemberBegin();  // of the members that stay
  for (auto at = object.MemberBegin(); at != object.MemberEnd(); ++at) {
    if (const auto known = kept.find(ifb::text_of(&at->name)); known != kept.end()) {
      *known->second = at->value;  // RapidJSON's assignment moves
      continue;
    }
    if (end != at) {
      end->name = at->name;
      end->value = at->value;
    }
    // The view is taken after the move: RapidJSON keeps short names within the value.
    kept.emplace(ifb::text_of(&end->name), &end->value);
    ++end;
  }
  if (end != object.MemberEnd()) object.EraseMember(end, object.MemberEnd());
}

// Applies keep_last() to all objects, and refuses deep nesting: values are printed and compared by
// recursion, so deeper values would overflow the stack.
void make_usable(ifb::json_value& root, const std::string& file) {
  std::vector<std::pair<ifb::json_value*, int>> left{{&root, 1}};
  while (!left.empty()) {
    const auto [value, depth] = left.back();
    left.pop_back();
    if (!value->IsArray() && !value->IsObject()) continue;
    if (depth > options::deepest) too_deep({file, 0, 0});
    if (value->IsArray())
      for (auto& inner : value->GetArray())
        if (inner.IsArray() || inner.IsObject()) left.emplace_back(&inner, depth + 1);
    if (!value->IsObject()) continue;
    keep_last(*value);
    for (auto& member : value->GetObject())
      if (member.value.IsArray() || member.value.IsObject())
        left.emplace_back(&member.value, depth + 1);
  }
}

}  // namespace

node read_json_node(std::string_view text, const std::string& file, top_names top) {
  text = without_mark(text);
  refuse_zero(text, file);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> encoded(stream);
  node_maker maker(text, stream, file, top);
  rapidjson::Reader reader;
  reader.Parse<python_flags | rapidjson::kParseNumbersAsStringsFlag>(encoded, maker);
  if (reader.HasParseError())
    maker.malformed(reader.GetErrorOffset(),
                    rapidjson::GetParseError_En(reader.GetParseErrorCode()));
  return maker.take();
}

ifb::json_document read_json_document(std::string_view text, const std::string& file) {
  text = without_mark(text);
  refuse_zero(text, file);
  ifb::json_document out;
  out.Parse<python_flags>(text.data(), text.size());
  if (out.GetParseError() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid ||
      out.GetParseError() == rapidjson::kParseErrorNumberTooBig) {
    const std::string whole = with_whole_pairs(with_infinities(text));  // of the same length
    out.Parse<python_flags>(whole.data(), whole.size());
  }
  if (out.HasParseError()) {
    std::string why = rapidjson::GetParseError_En(out.GetParseError());
    if (why.ends_with('.')) why.pop_back();
    throw base::error("malformed JSON: " + why, {},
                      json_place(text, file).at(out.GetErrorOffset()));
  }
  make_usable(out, file);
  ifb::mend_surrogates(out);
  return out;
}

}  // namespace inferbench::pytext
