// Finds the start of the text in a chat message that is given as JSON text and must be sent byte
// for byte. Finds only the position and does not serialise the message again. The functions have no
// state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::prompts {

struct content_place {
  std::size_t at = 0;       // byte offset in the JSON text
  bool in_string = false;   // `at` is after the opening quote of a string; if false, a new part is
                            // inserted at `at`
  bool more_parts = false;  // other parts follow the new part
  std::string text;         // the decoded text of the string; empty if in_string is false
};

/// The place in the content of the message object `json`. If the content is a string, the place is
/// the start of the string. If it is a list of parts, the place is the start of the first part's
/// text. If the first part has no text, the place is before the first part. nullopt if there is no
/// such content or the JSON before it is invalid.
[[nodiscard]] std::optional<content_place> content_of(std::string_view json);

/// `json` with `text` inserted at `place`.
[[nodiscard]] std::string with_text(std::string_view json, const content_place& place,
                                    std::string_view text);

}  // namespace inferbench::prompts
