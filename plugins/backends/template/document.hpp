// A template's file as values that know their line numbers. Immutable after construction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace template_backend {

/// One TOML value.
struct value {
  enum class kind : std::uint8_t { boolean, integer, number, text, list, table };

  kind what = kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<std::string> names;  // the keys of a table, in the order of the file
  std::vector<value> items;        // the values of a table or a list
  std::uint32_t line = 0;          // line number, from 1
};

/// Returns the kind's name for messages: "a text", "a table".
[[nodiscard]] std::string_view name_of(value::kind what) noexcept;

class document {
 public:
  /// Reads a file. Throws ifb::failure, IFB_E_CONFIG, that names the option "file", if the file
  /// cannot be read or is not TOML.
  explicit document(const std::string& file);

  [[nodiscard]] const value& root() const noexcept { return root_; }
  /// The file's name without its folders.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Throws ifb::failure: "FILE:LINE: MESSAGE; REMEDY".
  [[noreturn]] void refuse(std::uint32_t line, const std::string& message,
                           const std::string& remedy) const;

 private:
  std::string file_;
  std::string name_;
  value root_;
};

}  // namespace template_backend
