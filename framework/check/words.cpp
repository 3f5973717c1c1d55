#include "check/words.hpp"

#include <cctype>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::check {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<std::uint32_t> tokens_of(std::string_view text) {
  std::vector<std::uint32_t> out;
  while (!text.empty()) {
    if (text.size() >= 5 && text.starts_with(" w") && is_digit(text[2]) && is_digit(text[3]) &&
        is_digit(text[4])) {
      out.push_back(static_cast<std::uint32_t>((text[2] - '0') * 100 + (text[3] - '0') * 10 +
                                               (text[4] - '0')));
      text.remove_prefix(5);
    } else {
      out.push_back(word_count + static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string text_of(std::span<const std::uint32_t> ids) {
  std::string out;
  for (const std::uint32_t id : ids) {
    if (id < word_count) {
      const std::string number = std::to_string(id);
      out += " w" + std::string(3 - number.size(), '0') + number;
    } else if (id < token_count) {
      out += static_cast<char>(id - word_count);
    }
  }
  return out;
}

std::string prompt_of(std::string_view chat) {
  const rapidjson::Document document = base::parse_json(chat, "the chat");
  const base::json_value* const messages = base::find(document, "messages");
  if (messages == nullptr || !messages->IsArray())
    throw base::error("TemplateError: there are no messages");
  std::string out;
  for (const auto& message : messages->GetArray()) {
    const base::json_value* const content = base::find(message, "content");
    out += std::string(base::text_of(base::find(message, "role"))) + ": " +
           (content == nullptr    ? std::string()
            : content->IsString() ? std::string(base::text_of(content))
                                  : base::to_text(*content)) +
           "\n";
  }
  return out + "assistant:";
}

}  // namespace inferbench::check
