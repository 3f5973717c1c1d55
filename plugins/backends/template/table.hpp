// One table of a template, read key by key: an unknown key is refused with the nearest key that
// exists. Lives on one thread, shorter than its document.
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

/// "did you mean stream?", or a list of all: "the keys here are a, b".
[[nodiscard]] std::string suggestion(std::string_view name, std::span<const std::string> known,
                                     std::string_view plural);

/// Every function throws ifb::failure with file and line for a value of another type.
class table {
 public:
  /// `title`: the table's name in messages, "[stream]"; empty for the root.
  table(const document& from, const value& read, std::string title);

  /// nullptr: not there.
  [[nodiscard]] const value* find(std::string_view key);
  [[nodiscard]] const value* find(std::string_view key, value::kind what);

  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  [[nodiscard]] bool boolean(std::string_view key);  // false: not there
  /// A path or a list of paths, in the order of their rank. Empty: not there, or an empty list.
  [[nodiscard]] std::vector<path> paths(std::string_view key);
  /// The paths of one value; `key` names it in messages.
  [[nodiscard]] std::vector<path> paths(std::string_view key, const value& read) const;

  /// Refuses every key that was not asked for.
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
