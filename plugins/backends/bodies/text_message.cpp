#include "text_message.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "body.hpp"
#include "json.hpp"
#include "prompt.hpp"
#include "rapidjson.hpp"

namespace bodies {
namespace {

/// Joins the texts of a list of content parts, [{"type": "text", "text": ...}, ...]. Refuses every
/// other list.
class text_parts : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, text_parts> {
 public:
  std::string text;

  bool StartArray() {
    ++depth_;
    return depth_ != 2;
  }
  bool EndArray(rapidjson::SizeType) {
    --depth_;
    return true;
  }
  bool StartObject() {
    if (++depth_ != 2) return depth_ > 2;
    is_text_ = has_text_ = false;
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    if (--depth_ != 1) return true;
    if (!is_text_ || !has_text_) return false;
    text += count_++ == 0 ? part_ : "\n" + part_;
    return true;
  }
  bool Key(const char* name, rapidjson::SizeType size, bool) {
    if (depth_ == 2) key_.assign(name, size);
    return true;
  }
  bool String(const char* value, rapidjson::SizeType size, bool) {
    if (depth_ == 2 && key_ == "type") is_text_ = std::string_view(value, size) == "text";
    if (depth_ == 2 && key_ == "text") {
      part_.assign(value, size);
      has_text_ = true;
    }
    return depth_ >= 2;
  }
  // All other values are part of an object that may be a text.
  bool Default() { return depth_ >= 2; }

 private:
  std::string key_;
  std::string part_;
  std::size_t depth_ = 0;
  std::size_t count_ = 0;
  bool is_text_ = false;
  bool has_text_ = false;
};

[[noreturn]] void refuse_content() {
  refuse("this protocol takes chat messages of text only, without images or other content");
}

/// `content` is well-formed JSON.
std::string text_of_list(std::string_view content) {
  text_parts parts;
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(content.data(), content.size());
  if (reader.Parse<rapidjson::kParseIterativeFlag>(stream, parts).IsError()) refuse_content();
  return std::move(parts.text);
}

/// Writes the content as one JSON string. A single text is not copied.
void put_text(const ifb_part_list& content, gather_list& out) {
  const auto parts = ifb::view(content);
  std::string joined;
  for (const auto& part : parts) {
    if (part.kind != IFB_PART_TEXT) refuse_content();
    if (parts.size() == 1) return out.quote(ifb::view(part.data));
    if (&part != &parts.front()) joined += '\n';
    joined += ifb::view(part.data);
  }
  out.quote(out.keep(joined));
}

void put_json_message(std::string_view json, gather_list& out) {
  std::string why;
  const auto members = object_members(json, why);
  const auto is_list = [](const member& m) {
    return m.key == "content" && m.value.starts_with('[');
  };
  if (!members || std::ranges::none_of(*members, is_list)) return out.refer(json);
  out.copy("{");
  for (const member& m : *members) {
    if (&m != &members->front()) out.copy(",");
    out.copy(quoted(m.key));
    out.copy(":");
    out.copy(is_list(m) ? quoted(text_of_list(m.value)) : m.value);
  }
  out.copy("}");
}

}  // namespace

void put_text_message(const ifb_message& message, gather_list& out) {
  if (message.json.size != 0) return put_json_message(ifb::view(message.json), out);
  out.copy(R"({"role":)");
  out.quote(ifb::view(message.role));
  out.copy(R"(,"content":)");
  put_text(message.parts, out);
  out.copy("}");
}

void put_text_user_message(const ifb_part_list& content, gather_list& out) {
  out.copy(R"([{"role":"user","content":)");
  put_text(content, out);
  out.copy("}]");
}

}  // namespace bodies
