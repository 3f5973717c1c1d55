// One table of a template, read key by key. An unknown key is refused, and the message suggests the
// nearest known key. Used by one thread; its document must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"
#include "path.hpp"

namespace template_backend {

/// Returns "did you mean stream?", or a list of all known keys: "the keys here are a, b".
[[nodiscard]] std::string suggestion(std::string_view name, std::span<const std::string> known,
                                     std::string_view plural);

/// Reads the values of a table. Every function throws ifb::failure with file and line if the value
/// has a different type.
class table {
 public:
  /// `title` is the table's name in messages, "[stream]"; empty for the root.
  table(const document& from, const value& read, std::string title);

  /// nullptr: the table does not have this key.
  [[nodiscard]] const value* find(std::string_view key);
  [[nodiscard]] const value* find(std::string_view key, value::kind what);

  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  [[nodiscard]] bool boolean(std::string_view key);  // false if the key is missing
  /// Returns a path or a list of paths, in the order of their rank. Empty if the key is missing or
  /// the list is empty.
  [[nodiscard]] std::vector<path> paths(std::string_view key);
  /// Returns the paths of one value; `key` is its name in messages.
  [[nodiscard]] std::vector<path> paths(std::string_view key, const value& read) const;

  /// Refuses every key that none of the functions above has read.
  void refuse_others() const;

  [[noreturn]] void refuse(const value& at, const std::string& message,
                           const std::string& remedy) const {
    from_.refuse(at.line, message, remedy);
  }
  [[nodiscard]] std::uint32_t line() const noexcept { return read_.line; }
  [[nodiscard]] const std::string& title() const noexcept { return title_; }

 private:
  const document& from_;
  const value& read_;
  std::string title_;
  std::vector<std::string> known_;
};

}  // namespace template_backend
