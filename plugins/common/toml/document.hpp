// A TOML file as values that know their line numbers. Immutable after construction; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toml_file {

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
  /// Parses `text`. `path` is the name of the file in messages, and `option` is the option of the
  /// plugin that messages name. Throws ifb::failure (IFB_E_CONFIG) if the text is not TOML.
  document(std::string path, std::string text, std::string option);
  /// Reads a file of at most 1 MiB. `what` is the purpose of the file in messages: "a recipe".
  /// Throws ifb::failure (IFB_E_CONFIG) if the file cannot be read or is not TOML.
  [[nodiscard]] static document read(const std::string& path, const std::string& what,
                                     const std::string& option);

  [[nodiscard]] const value& root() const noexcept { return root_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The file's name without its folders.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Throws ifb::failure: "PATH:LINE: MESSAGE; REMEDY".
  [[noreturn]] void refuse(std::uint32_t line, const std::string& message,
                           const std::string& remedy) const;

 private:
  std::string path_;
  std::string name_;
  std::string text_;
  std::string option_;
  value root_;
};

}  // namespace toml_file
