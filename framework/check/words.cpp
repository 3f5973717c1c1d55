#include "check/words.hpp"

#include <cctype>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::check {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// The kit calls this for each row of a dataset, also in builds without optimisation, so the loop
// works on pointers.
std::vector<std::uint32_t> tokens_of(std::string_view text) {
  std::vector<std::uint32_t> out(text.size());
  std::uint32_t* to = out.data();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ' && end - at >= 5 && at[1] == 'w' && is_digit(at[2]) && is_digit(at[3]) &&
        is_digit(at[4])) {
      *to++ = static_cast<std::uint32_t>((at[2] - '0') * 100 + (at[3] - '0') * 10 + (at[4] - '0'));
      at += 5;
    } else {
      *to++ = word_count + static_cast<unsigned char>(*at++);
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
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
