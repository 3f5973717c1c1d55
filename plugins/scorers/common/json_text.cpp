#include "json_text.hpp"

#include <algorithm>

#include <rapidjson/document.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <inferbench/text.hpp>

namespace scorers {
namespace {

/// Counts RapidJSON's events, and ends the parse at a value that is nested too deeply.
class json_counter : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, json_counter> {
 public:
  bool Default() { return ++size_.values, true; }  // every value but objects and lists
  bool Key(const char*, rapidjson::SizeType, bool) { return true; }
  bool StartObject() { return open(); }
  bool StartArray() { return open(); }
  bool EndObject(rapidjson::SizeType) { return --open_, true; }
  bool EndArray(rapidjson::SizeType) { return --open_, true; }

  [[nodiscard]] const json_size& size() const noexcept { return size_; }

 private:
  bool open() {
    ++size_.values;
    ++open_;
    size_.depth = std::max(size_.depth, open_);
    return open_ <= deepest;
  }

  json_size size_;
  std::size_t open_ = 0;
};

struct parsed_part {
  bool good = false;
  std::size_t read = 0;  // bytes
  json_size size;
};

template <unsigned flags>
parsed_part parse_part(std::string_view text) {
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  json_counter counter;
  const rapidjson::ParseResult result = reader.Parse < flags | rapidjson::kParseIterativeFlag |
                                        rapidjson::kParseValidateEncodingFlag > (stream, counter);
  // RapidJSON takes a NUL for the end of the text.
  constexpr bool whole = (flags & rapidjson::kParseStopWhenDoneFlag) == 0;
  if (whole && !result.IsError() && stream.Tell() != text.size()) return {};
  return {!result.IsError(), result.IsError() ? result.Offset() : stream.Tell(), counter.size()};
}

std::optional<std::string_view> if_json(std::string_view text) {
  text = ifb::trim(text);
  if (measure_json(text)) return text;
  return std::nullopt;
}

/// Returns the content of the first fence that contains JSON.
std::optional<std::string_view> fenced_json(std::string_view text) {
  constexpr std::string_view fence = "```";
  for (std::size_t at = text.find(fence); at != std::string_view::npos;) {
    std::size_t begin = at + fence.size();
    const std::size_t end = std::min(text.find(fence, begin), text.size());
    while (begin < end && (text[begin] == '_' || text[begin] == '-' || text[begin] == '+' ||
                           (text[begin] >= 'a' && text[begin] <= 'z') ||
                           (text[begin] >= 'A' && text[begin] <= 'Z')))
      ++begin;
    if (const auto found = if_json(text.substr(begin, end - begin))) return found;
    // The closing fence of this block is not the opening fence of another block.
    at = end == text.size() ? std::string_view::npos : text.find(fence, end + fence.size());
  }
  return std::nullopt;
}

/// Returns the position behind the bracket that closes the one at `at`; npos if there is none.
std::size_t behind_counterpart(std::string_view text, std::size_t at) {
  std::size_t open = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++open;
    if ((c == '}' || c == ']') && --open == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::optional<std::string_view> embedded_json(std::string_view text) {
  std::string_view longest;
  std::size_t left = 4 * text.size() + 4096;
  for (std::size_t at = text.find_first_of("{["); at != std::string_view::npos;) {
    const parsed_part part = parse_part<rapidjson::kParseStopWhenDoneFlag>(text.substr(at));
    if (part.good && part.read > longest.size()) longest = text.substr(at, part.read);
    if (part.read >= left) break;
    left -= part.read;
    const std::size_t behind = part.good ? at + part.read : behind_counterpart(text, at);
    at = behind >= text.size() ? std::string_view::npos : text.find_first_of("{[", behind);
  }
  if (longest.empty()) return std::nullopt;
  return longest;
}

}  // namespace

std::optional<json_size> measure_json(std::string_view text, json_dialect dialect) {
  const parsed_part part = dialect == json_dialect::python
                               ? parse_part<rapidjson::kParseNanAndInfFlag>(text)
                               : parse_part<rapidjson::kParseNoFlags>(text);
  if (!part.good) return std::nullopt;
  return part.size;
}

std::optional<std::string_view> find_json(std::string_view text) {
  if (const auto whole = if_json(text)) return whole;
  if (const auto fenced = fenced_json(text)) return fenced;
  return embedded_json(text);
}

}  // namespace scorers
