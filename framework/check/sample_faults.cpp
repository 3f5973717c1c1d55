#include "check/sample_faults.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "base/json.hpp"
#include "check/utf8.hpp"
#include "dataset/shape.hpp"

namespace inferbench::check {

namespace {

class inspection {
 public:
  [[nodiscard]] std::vector<finding> take() { return std::move(faults_); }

  void add(std::string what, std::string remedy) {
    add({true, std::move(what), std::move(remedy)});
  }
  void add(finding fault) { faults_.push_back(std::move(fault)); }

  // `what`: the name of the text. Only the first text that is not UTF-8 is reported.
  void utf8(const std::string& what, std::string_view text) {
    const auto at = bad_utf8_ ? std::nullopt : first_bad_byte(text);
    if (!at) return;
    bad_utf8_ = true;
    add(what + " is not UTF-8: byte " + std::to_string(*at) + " is wrong",
        "convert texts to UTF-8 when you read them, or answer with IFB_SKIP for the row (rule R1 "
        "in abi.h)");
  }

  void number(const std::string& what, std::int64_t value) {
    if (value >= -1) return;
    add(what + " is " + std::to_string(value), "write -1 for an unknown number");
  }

  // A list or an element without a size: other hosts and plugins could not read the list.
  // `what`: the struct of the elements. Returns whether the list can be read.
  template <typename list_type>
  bool sizes(const std::string& of, const std::string& what, const list_type& list) {
    if (list.count == 0) return true;
    if (list.stride == 0) {
      add("the list of " + of + " has stride 0", "set stride to sizeof(" + what + ")");
      return false;
    }
    for (const auto& element : ifb::view(list)) {
      if (element.struct_size != 0) continue;
      add(fmt::format("an {} of {} has struct_size 0", what, of),
          fmt::format("set struct_size to sizeof({})", what));
      break;
    }
    return true;
  }

  void parts(const std::string& of, const ifb_part_list& list) {
    if (!sizes(of, "ifb_part", list)) return;
    for (const ifb_part& part : ifb::view(list)) {
      if (part.kind == IFB_PART_TEXT || part.kind == IFB_PART_JSON)
        utf8("a text in " + of, ifb::view(part.data));
      utf8("a uri in " + of, ifb::view(part.uri));
      utf8("a name in " + of, ifb::view(part.name));
      if (part.mime != nullptr) utf8("a media type in " + of, part.mime);
      if (part.kind == IFB_PART_JSON && !parsed(ifb::view(part.data)))
        add("a part of kind IFB_PART_JSON in " + of + " is not JSON: " + start(part.data),
            "write a JSON value, which is sent unchanged, or give the part another kind");
    }
  }

  void messages(const ifb_message_list& list) {
    if (!sizes("the messages", "ifb_message", list)) return;
    std::uint32_t reserved = 0;
    for (const ifb_message& message : ifb::view(list)) {
      utf8("a role of the messages", ifb::view(message.role));
      utf8("json in the messages", ifb::view(message.json));
      message_object(message.json);
      parts("the messages", message.parts);
      number("tokens of a message", message.tokens);
      if (reserved == 0) reserved = message.reserved;
    }
    if (reserved != 0) add(reserved_is_set("an ifb_message", reserved));
  }

  // The object is sent instead of role and parts, so most servers need a role in it. An item of the
  // Responses API without a speaker, such as the output of a function, has a type instead.
  void message_object(const ifb_str& json) {
    if (json.size == 0) return;
    const auto object = parsed(ifb::view(json));
    if (!object || !object->IsObject()) {
      add("the json of a message is not a JSON object: " + start(json),
          "write the whole message such as {\"role\": \"user\", \"content\": \"hi\"}, or leave "
          "json empty");
      return;
    }
    const auto has_text = [&](const char* name) {
      const base::json_value* const at = base::find(*object, name);
      return at != nullptr && at->IsString();
    };
    if (!has_text("role") && !has_text("type"))
      add({false, "the json of a message has no text \"role\": " + start(json),
           "write the role, or the type of an item without a role, in json, too: json is sent "
           "instead of ifb_message.role, and most servers need it"});
  }

  void overrides(const ifb_str& text) {
    if (text.size == 0) return;
    const auto object = parsed(ifb::view(text));
    if (object && object->IsObject()) return;
    add("overrides are not a JSON object: " + start(text),
        "write an object such as {\"temperature\": 0}, or leave overrides empty");
  }

 private:
  // nullopt: not JSON.
  static std::optional<rapidjson::Document> parsed(std::string_view text) {
    rapidjson::Document out;
    if (ifb::parse_json(text, out)) return std::nullopt;
    return out;
  }

  // The beginning of a text, for a message.
  template <typename text_type>
  static std::string start(const text_type& text) {
    constexpr std::size_t most = 60;
    return std::string(ifb::cut_utf8(ifb::view(text), most));
  }

  std::vector<finding> faults_;
  bool bad_utf8_ = false;
};

}  // namespace

std::vector<finding> faults_of(const ifb_sample& sample, std::uint32_t flags) {
  inspection out;
  // Lengths below -1 are reported by name below.
  ifb_sample shaped = sample;
  shaped.input_tokens = shaped.output_tokens = -1;
  if (const char* const wrong = dataset::wrong_with(shaped)) {
    out.add(std::string("the sample does not fit its shape: ") + wrong,
            "see ifb_prompt_shape in abi.h");
    return out.take();  // its parts may be unreadable
  }
  if (sample.struct_size == 0)
    out.add("the sample has struct_size 0",
            "leave struct_size as the host set it, or set it to "
            "sizeof(ifb_sample)");
  out.parts("the prompt", sample.prompt);
  out.parts("the media", sample.media);
  out.messages(sample.messages);
  for (const auto& [name, text] :
       {std::pair("id", sample.id), std::pair("model", sample.model),
        std::pair("session", sample.session), std::pair("overrides", sample.overrides)})
    out.utf8(name, ifb::view(text));
  for (const ifb_field& field : ifb::metadata_of(sample)) {
    out.utf8("a name in metadata", ifb::view(field.name));
    out.utf8("a value in metadata", ifb::view(field.value));
  }
  out.number("input_tokens", sample.input_tokens);
  out.number("output_tokens", sample.output_tokens);
  out.number("arrival_ns", sample.arrival_ns);
  out.overrides(sample.overrides);
  if (sample.reserved != 0) out.add(reserved_is_set("an ifb_sample", sample.reserved));
  if ((flags & IFB_DATASET_ARRIVALS) != 0 && sample.arrival_ns < 0)
    out.add("the sample has no arrival_ns, and the dataset has the flag IFB_DATASET_ARRIVALS",
            "drop the flag, or set arrival_ns of each sample");
  if ((flags & IFB_DATASET_SESSIONS) != 0 && sample.shape != IFB_PROMPT_CHAT)
    out.add("the prompt is not a chat, and the dataset has the flag IFB_DATASET_SESSIONS",
            "drop the flag, or answer with IFB_SKIP for a row that is not a conversation");
  return out.take();
}

}  // namespace inferbench::check
