#include "event.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <inferbench/guard.hpp>

namespace {

/// Keeps the keys of the two outer levels; the members that the codec needs are not nested deeper.
class reader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, reader> {
 public:
  explicit reader(tgi_event& out) : out_(out) {}

  bool StartObject() {
    ++depth_;
    if (depth_ == 2 && outer_ == "token") out_.has_token = true;
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    --depth_;
    return true;
  }
  bool StartArray() { return depth_++ > 0; }
  bool EndArray(rapidjson::SizeType) {
    --depth_;
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ == 1) outer_.assign(text, size);
    if (depth_ == 2) inner_.assign(text, size);
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ == 1 && outer_ == "generated_text") out_.last = true;
    if (depth_ == 1 && outer_ == "error") out_.error.assign(text, size);
    if (is("token", "text")) out_.text.assign(text, size);
    if (is("details", "finish_reason")) out_.finish_reason.assign(text, size);
    return depth_ > 0;
  }
  bool Bool(bool value) {
    if (is("token", "special")) out_.special = value;
    return depth_ > 0;
  }
  bool Uint(unsigned value) {
    if (is("details", "generated_tokens")) out_.generated_tokens = value;
    if (is("details", "input_length")) out_.input_length = value;
    return depth_ > 0;
  }
  // Ignores all other values, but refuses a message that is not an object.
  bool Default() { return depth_ > 0; }

 private:
  bool is(std::string_view outer, std::string_view inner) const {
    return depth_ == 2 && outer_ == outer && inner_ == inner;
  }

  tgi_event& out_;
  int depth_ = 0;
  std::string outer_;
  std::string inner_;
};

}  // namespace

tgi_event tgi_event::read(std::string_view json) {
  tgi_event event;
  reader handler(event);
  rapidjson::MemoryStream stream(json.data(), json.size());
  // Parse iteratively, so that deep nesting cannot overflow the stack. Refuse invalid UTF-8, which
  // must not get into a message (rule R1 in abi.h).
  constexpr unsigned how = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  if (rapidjson::Reader{}.Parse<how>(stream, handler).IsError())
    throw ifb::failure{IFB_E_PROTOCOL, "an event of the stream is not a JSON object"};
  return event;
}
