// JSON text as request bodies need it: compact, UTF-8 kept as it is, sizes known
// before anything is written, so that a prompt is written once and in place.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodies {

struct escaped_size {
  std::size_t size = 0;   // bytes between the quotes
  bool unchanged = true;  // they are the bytes of the text itself
};

/// The size of `text` inside a JSON string. Bad UTF-8 becomes U+FFFD, one for each
/// maximal bad part.
[[nodiscard]] escaped_size measure(std::string_view text) noexcept;

/// Writes `text` as measure() counted it, and returns the end.
char* write_escaped(char* out, std::string_view text) noexcept;

/// `text` as a JSON string, with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);

/// `text` with bad UTF-8 replaced, half a surrogate pair by one U+FFFD. Good text (the usual case,
/// which costs a scan) is returned itself, other text as a copy in `scratch`.
[[nodiscard]] std::string_view valid_utf8(std::string_view text, std::string& scratch);

/// The beginning of `data` for an error message: at most 200 bytes, one line.
[[nodiscard]] std::string excerpt(std::string_view data);

/// One member of an object: the key decoded, the value as compact JSON text in
/// which every number is spelled as it was.
struct member {
  std::string key;
  std::string value;
};

/// The members of a JSON object in their order; nullopt when `text` is no object, with
/// the reason in `why`. Any depth and any input is safe.
[[nodiscard]] std::optional<std::vector<member>> object_members(std::string_view text,
                                                                std::string& why);

/// The text of `json`, a well-formed JSON string such as the value of a member.
[[nodiscard]] std::string string_value(std::string_view json);

}  // namespace bodies
