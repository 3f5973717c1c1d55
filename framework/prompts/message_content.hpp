// Finds the beginning of the text of a chat message, for messages that are ready-made JSON and are
// sent byte for byte. Only finds the place; does not serialise the message again. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::prompts {

struct content_place {
  std::size_t at = 0;       // byte offset in the JSON text
  bool in_string = false;   // after the opening quote of a string; otherwise a new part goes there
  bool more_parts = false;  // other parts follow the new part
  std::string text;         // if in_string: the decoded text of that string
};

/// The place in the content of the message object `json`: at its text, or, for a list of parts, at
/// the text of the first part or, if that has none, before the first part. nullopt if there is no
/// such content, or no valid JSON before it.
[[nodiscard]] std::optional<content_place> content_of(std::string_view json);

/// `json` with `text` inserted at that place.
[[nodiscard]] std::string with_text(std::string_view json, const content_place& place,
                                    std::string_view text);

}  // namespace inferbench::prompts
