// Values from JSON, and json.dumps.
#pragma once

#include <rapidjson/document.h>

#include "rendering.hpp"

namespace jinja {

/// json.loads. Raises ValueError if the text is not JSON in UTF-8.
[[nodiscard]] value read_json(rendering& r, std::string_view text);
/// Converts a parsed text. The strings refer to the strings of `from`, which must outlive the
/// value.
[[nodiscard]] value read_json(rendering& r, const rapidjson::Value& from);

struct json_layout {
  bool ascii = false;
  bool sorted = false;
  /// The indentation of one level; nullopt: everything is on one line.
  std::optional<std::string> indent;
  std::string between_items = ", ";
  std::string after_key = ": ";
};

void write_json(rendering& r, std::string& out, const value& of, const json_layout& how);

}  // namespace jinja
