// JSON objects that are composed of parts in JSON text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Members of a JSON object in order; key and value are JSON text.
class json_members {
 public:
  json_members() = default;
  /// `object` is one valid JSON object, or empty. Throws ifb::failure (IFB_E_CONFIG with the option
  /// `option`) for a JSON value of any other kind.
  json_members(std::string_view object, std::string_view option);

  /// Appends the member. If the key exists, replaces its value.
  void set(std::string_view key, std::string_view value);
  /// Calls set() for all members of `others`.
  void lay_over(const json_members& others);

  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};
