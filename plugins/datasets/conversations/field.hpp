// A value of the generator's config, with its path for messages.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <inferbench/host.hpp>

namespace conversations {

/// Functions that fail throw ifb::failure (IFB_E_CONFIG, option "path"): "FILE:
/// prompt_input.num_turns: ...". The file's name and the document must outlive the field.
class field {
 public:
  field(std::string_view file, const rapidjson::Value& value) : file_(file), value_(&value) {}

  /// Return a member of this object. If there is no such member, find() returns nullopt and get()
  /// throws.
  [[nodiscard]] std::optional<field> find(std::string_view name) const;
  [[nodiscard]] field get(std::string_view name) const;

  /// Writes a warning for each member whose name is not in `names`.
  void warn_of_others(ifb::host host, std::initializer_list<std::string_view> names) const;

  [[nodiscard]] const rapidjson::Value& value() const noexcept { return *value_; }
  /// Returns a finite number.
  [[nodiscard]] double number() const;
  [[nodiscard]] bool is_whole() const { return value_->IsInt64(); }
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool boolean() const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  [[nodiscard]] std::string path_to(std::string_view name) const;

  std::string_view file_;
  const rapidjson::Value* value_;
  std::string path_;  // "prompt_input.num_turns"; empty for the root of the config
};

}  // namespace conversations
