// JSON text as request bodies need it: compact, with unchanged UTF-8. The size of a string is known
// before it is written, so that a prompt is written once and in place. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodies {

struct escaped_size {
  std::size_t size = 0;   // number of bytes between the quotes
  bool unchanged = true;  // these bytes are equal to the text
};

/// Returns the size of `text` inside a JSON string. Each maximal invalid sequence of UTF-8 becomes
/// one U+FFFD.
[[nodiscard]] escaped_size measure(std::string_view text) noexcept;

/// Writes the bytes that measure() counted for `text`, and returns the end of the written bytes.
char* write_escaped(char* out, std::string_view text) noexcept;

/// Returns `text` as a JSON string, with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);

/// Returns valid UTF-8. Valid text (the usual case, which costs one scan) is returned unchanged.
/// Otherwise a copy in `scratch` is returned, in which invalid bytes are replaced; half a surrogate
/// pair becomes one U+FFFD.
[[nodiscard]] std::string_view valid_utf8(std::string_view text, std::string& scratch);

/// Returns the beginning of `data` for an error message: at most 200 bytes, without line breaks.
[[nodiscard]] std::string excerpt(std::string_view data);

/// One member of an object: the decoded key, and the value as compact JSON text, in which every
/// number keeps its spelling.
struct member {
  std::string key;
  std::string value;
};

/// Returns the members of a JSON object in their order. If `text` is not a JSON object, returns
/// nullopt and stores the reason in `why`. Any depth and any input is safe.
[[nodiscard]] std::optional<std::vector<member>> object_members(std::string_view text,
                                                                std::string& why);

/// Returns the decoded text of `json`, which must be a well-formed JSON string such as the value of
/// a member.
[[nodiscard]] std::string string_value(std::string_view json);

}  // namespace bodies
