// Where the text of a chat message begins, for messages that are ready-made JSON and are sent
// byte for byte. Only the place is looked for; nothing is written anew. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::prompts {

struct content_place {
  std::size_t at = 0;       // byte of the JSON text
  bool in_string = false;   // behind the opening quote of a string; else at a part of its own
  bool more_parts = false;  // behind a part of its own
  std::string text;         // of in_string: what stands there, decoded
};

/// In the content of the message object `json`: at its text, or at the beginning of its list of
/// parts, into the first of them where that has text. Nothing where there is no such content, or
/// no JSON before it.
[[nodiscard]] std::optional<content_place> content_of(std::string_view json);

/// `json` with `text` put there.
[[nodiscard]] std::string with_text(std::string_view json, const content_place& place,
                                    std::string_view text);

}  // namespace inferbench::prompts
