// One table of a TOML file, read key by key. An unknown key is refused, and the message suggests
// the nearest known key. Used by one thread; its document must outlive it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"

namespace toml_file {

/// Returns "did you mean stream?", or a list of all known names: "PLURAL are a, b".
[[nodiscard]] std::string suggestion(std::string_view name, std::span<const std::string> known,
                                     std::string_view plural);

/// Every function that reads a key throws ifb::failure with file and line if the value has another
/// type.
class table {
 public:
  /// `title` is the table's name in messages, "[stream]"; empty for the root.
  table(const document& from, const value& read, std::string title);

  /// nullptr: the table does not have this key.
  [[nodiscard]] const value* find(std::string_view key);
  [[nodiscard]] const value* find(std::string_view key, value::kind what);

  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  /// The text must be one of `choices`.
  [[nodiscard]] std::optional<std::string> choice(std::string_view key,
                                                  std::initializer_list<std::string_view> choices);
  [[nodiscard]] std::optional<bool> boolean(std::string_view key);
  /// The number must be at least `least` and at most `most`.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t least,
                                                    std::int64_t most);
  /// Returns the elements of a list of texts; empty if the key is missing.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  /// Returns the tables of a list of tables, [[key]]; empty if the key is missing.
  [[nodiscard]] std::vector<table> tables(std::string_view key);

  /// Refuses every key that none of the functions above has read.
  void refuse_others() const;

  [[noreturn]] void refuse(const value& at, const std::string& message,
                           const std::string& remedy) const {
    from_->refuse(at.line, message, remedy);
  }
  /// Refuses the table itself.
  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const {
    from_->refuse(std::max(read_->line, 1U), message, remedy);
  }
  [[nodiscard]] std::uint32_t line() const noexcept { return read_->line; }
  [[nodiscard]] const std::string& title() const noexcept { return title_; }

 private:
  const document* from_;
  const value* read_;
  std::string title_;
  std::vector<std::string> known_;
};

}  // namespace toml_file
