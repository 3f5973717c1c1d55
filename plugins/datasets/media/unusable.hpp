// The fault of one medium.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace row_media {

/// A medium of a row cannot be used: its value has the wrong type, its file cannot be read, its URL
/// cannot be fetched, or its content cannot be decoded. The caller adds the place of the row.
class unusable : public std::runtime_error {
 public:
  /// what(): `text` as one clause of a message, without control characters and "; ". `text` begins
  /// with a small letter and has no period at its end.
  explicit unusable(std::string_view text);
};

/// Returns a path or URL as a message shows it: at most 300 bytes.
[[nodiscard]] std::string shown(std::string_view name);

}  // namespace row_media
