#include "prompts/message_content.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <inferbench/json_writer.hpp>

namespace inferbench::prompts {

namespace {

/// Reads the JSON tokens of a message until the place is known. The depth is 1 in the message, 2 in
/// its list of parts, and 3 in a part.
class finder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, finder> {
 public:
  explicit finder(std::string_view json) : json_(json), stream_(json.data(), json.size()) {}

  std::optional<content_place> find() {
    // Iterative parsing: with recursion a deeply nested message would overflow the stack.
    constexpr unsigned flags =
        rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
    reader_.Parse<flags>(stream_, *this);
    return std::move(found_);
  }

  // RapidJSON's reader calls the functions below. If one returns false, the reader stops.
  bool Default() {
    if (in_list_ && depth_ == 2) own_part(true);
    return go_on();
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return Default(); }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    const bool content = depth_ == 1 && key_ == "content";
    const bool bare_part = in_list_ && depth_ == 2;
    const bool part_text = in_list_ && depth_ == 3 && key_ == "text";
    if (content || bare_part || part_text)
      found_ = content_place{behind('"'), true, false, {text, size}};
    return go_on();
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ == 1 || depth_ == 3) key_.assign(text, size);
    return go_on();
  }
  bool StartObject() {
    ++depth_;
    if (depth_ == 3) key_.clear();
    return go_on();
  }
  bool EndObject(rapidjson::SizeType) {
    // The first part has ended, and it has no text.
    if (in_list_ && depth_ == 3) own_part(true);
    --depth_;
    return go_on();
  }
  bool StartArray() {
    if (in_list_ && depth_ == 2) own_part(true);
    if (depth_ == 1 && key_ == "content") {
      in_list_ = true;
      list_ = behind('[');
    }
    ++depth_;
    return go_on();
  }
  bool EndArray(rapidjson::SizeType) {
    if (in_list_ && depth_ == 2) own_part(false);
    --depth_;
    return go_on();
  }

 private:
  bool go_on() {
    before_ = stream_.Tell();
    return !found_;
  }
  /// The position after the next `begin`. Between two tokens there are no quotes and no brackets,
  /// so the first match is correct.
  [[nodiscard]] std::size_t behind(char begin) const { return json_.find(begin, before_) + 1; }
  void own_part(bool more) { found_ = content_place{list_, false, more, {}}; }

  std::string_view json_;
  rapidjson::MemoryStream stream_;
  rapidjson::Reader reader_;
  std::optional<content_place> found_;
  std::size_t before_ = 0;  // end of the previous token
  std::size_t list_ = 0;    // position after the opening bracket of the list of parts
  std::size_t depth_ = 0;
  bool in_list_ = false;
  std::string key_;
};

}  // namespace

std::optional<content_place> content_of(std::string_view json) { return finder(json).find(); }

std::string with_text(std::string_view json, const content_place& place, std::string_view text) {
  ifb::json_writer written;
  if (place.in_string) {
    written.string(text);
  } else {
    written.begin_object();
    written.member("type", "text");
    written.member("text", text);
    written.end_object();
  }
  std::string inserted = written.take();
  if (place.in_string)
    inserted = inserted.substr(1, inserted.size() - 2);  // the message already has the quotes
  else if (place.more_parts)
    inserted += ", ";
  std::string out;
  out.reserve(json.size() + inserted.size());
  out += json.substr(0, place.at);
  out += inserted;
  out += json.substr(place.at);
  return out;
}

}  // namespace inferbench::prompts
