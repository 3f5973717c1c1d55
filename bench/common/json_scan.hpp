// Finds the text and the usage in the JSON of an event, the least that every client must do. The
// JSON must have the form that vLLM writes, without blanks.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace inferbench::bench {

[[nodiscard]] inline const char* find(std::string_view in, std::string_view what) {
  return static_cast<const char*>(::memmem(in.data(), in.size(), what.data(), what.size()));
}

struct seen {
  bool token = false;               // the event has a text, which may be empty
  std::size_t text_bytes = 0;       // size of the text with its JSON escapes
  std::uint64_t prompt_tokens = 0;  // 0: the event has no usage
};

[[nodiscard]] inline seen scan(std::string_view event) {
  constexpr std::string_view texts[] = {"\"text\":\"", "\"content\":\""};  // completions, chat
  constexpr std::string_view counts = "\"usage\":{\"prompt_tokens\":";
  seen out;
  const char* const end = event.data() + event.size();
  for (const std::string_view text : texts) {
    const char* at = find(event, text);
    if (at == nullptr) continue;
    out.token = true;
    const char* const begin = at += text.size();
    while (at < end && *at != '"')
      at += *at == '\\' ? 2 : 1;
    out.text_bytes = static_cast<std::size_t>(at - begin);
    return out;
  }
  if (const char* const found = find(event, counts); found != nullptr)
    std::from_chars(found + counts.size(), end, out.prompt_tokens);
  return out;
}

}  // namespace inferbench::bench
