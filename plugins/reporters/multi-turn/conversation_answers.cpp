#include "conversation_answers.hpp"

#include <optional>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "reporters/common/clean_text.hpp"

namespace multi_turn {

namespace {

using ifb::json_value;

constexpr std::size_t shown = 80;  // bytes of a text in a line about a difference

std::string_view attribute(const ifb_record& record, std::string_view name) {
  for (const ifb_field& each : ifb::attributes_of(record))
    if (ifb::view(each.name) == name) return ifb::view(each.value);
  return {};
}

std::string role_of(const json_value& message) {
  return std::string(ifb::text_of(ifb::find(message, "role")));
}

/// Writes the members of messages with an indentation of 12 blanks.
class message_list {
 public:
  explicit message_list(std::string& out) : out_(out) {}

  void add(std::string_view role, std::string_view content) {
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
    out_ += "            {\n                \"role\": ";
    ifb::append_json_string(out_, role);
    out_ += ",\n                \"content\": ";
    ifb::append_json_string(out_, content);
    out_ += "\n            }";
  }

 private:
  std::string& out_;
  bool first_ = true;
};

std::string difference(std::string_view id, std::uint32_t turn, std::string_view recorded,
                       std::string_view answer) {
  return "conversation " + reporters::clean_line(id, shown) + ", turn " + std::to_string(turn + 1) +
         ": \"" + reporters::clean_line(answer, shown) + "\" in place of \"" +
         reporters::clean_line(recorded, shown) + "\"";
}

}  // namespace

void conversation_answers::add(const ifb_record& record) {
  const std::string_view id = attribute(record, "conversation_id");
  if (id.empty()) return;
  auto& turns = answers_[std::string(id)];
  turns.insert_or_assign(record.turn, reporters::clean_text(ifb::view(record.text)));
  const std::string_view first = attribute(record, "warm_up_answer");
  if (!first.empty()) turns.insert_or_assign(0, reporters::clean_text(first));
}

conversation_answers::merged conversation_answers::merge_into(std::string_view json,
                                                              const std::string& path) const {
  ifb::json_document file;
  if (const auto error = ifb::parse_json(json, file); error || !file.IsArray())
    throw ifb::failure(IFB_E_DATA, path + (error ? ": malformed JSON: " + error->why
                                                 : ": not a list of conversations"));
  merged out;
  out.text = "[";
  for (const json_value& each : file.GetArray()) {
    const std::string_view id = ifb::text_of(ifb::find(each, "id"));
    const auto at = answers_.find(id);
    const json_value* const messages = ifb::find(each, "messages");
    if (at == answers_.end() || messages == nullptr || !messages->IsArray()) continue;
    out.text += out.conversations++ == 0 ? "\n" : ",\n";
    out.text += "    {\n        \"id\": ";
    ifb::append_json_string(out.text, id);
    out.text += ",\n        \"messages\": [";
    message_list list(out.text);
    std::uint32_t turn = 0;
    for (rapidjson::SizeType i = 0; i < messages->Size(); ++i) {
      const json_value& message = (*messages)[i];
      const std::string role = role_of(message);
      const std::string_view content = ifb::text_of(ifb::find(message, "content"));
      const auto answer = at->second.find(turn);
      if (role == "assistant" && answer != at->second.end()) {
        list.add(role, answer->second);
        ++out.compared;
        if (answer->second != content)
          out.differences.push_back(difference(id, turn, content, answer->second));
      } else {
        list.add(role, content);
      }
      if (role == "assistant") ++turn;
      const bool last = i + 1 == messages->Size();
      if (last && role == "user" && answer != at->second.end())
        list.add("assistant", answer->second);
    }
    out.text += "\n        ]\n    }";
  }
  out.text += out.conversations == 0 ? "]" : "\n]";
  return out;
}

}  // namespace multi_turn
