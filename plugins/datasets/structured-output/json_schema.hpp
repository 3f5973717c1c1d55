// The JSON schema of the kinds json and json-unique.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>

namespace structured {

/// A schema as JSON text, in the layout of Python's json.dumps. Immutable; any thread.
class json_schema {
 public:
  /// The schema of a list of characters of a game.
  [[nodiscard]] static json_schema bundled();

  /// Reads the schema from a file. Throws ifb::failure (option "schema-path") if the file cannot be
  /// read (IFB_E_IO), or if it is not a JSON object, is nested more than 200 levels deep, or has
  /// "properties" that are not an object (IFB_E_DATA).
  [[nodiscard]] static json_schema of_file(const std::string& path);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Returns the schema with one more optional property of strings in its top-level "properties",
  /// which are created if there are none.
  [[nodiscard]] std::string with_property(std::string_view name) const;

 private:
  explicit json_schema(const ifb::json_value& object);

  std::string text_;
  // The text before and after the additional property.
  std::string before_;
  std::string after_;
};

}  // namespace structured
