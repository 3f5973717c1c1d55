// The checked value of a declared option, and a plugin that a run uses with a value for each
// option that it declares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "plugin/instance.hpp"
#include "plugin/library.hpp"

namespace inferbench::options {

/// Storage and ifb_value view of one checked option value.
struct option_value {
  ifb_type type = 0;
  bool is_set = false;
  std::int64_t integer = 0;       // INT, BOOL, DURATION, SIZE
  double number = 0;              // FLOAT
  std::string text;               // STRING, PATH, CHOICE, JSON
  std::vector<std::string> list;  // STRINGS
  base::source_position where;    // who set it; unknown for a default
  std::string variable;           // the environment variable that it came from, or empty
};

/// A plugin that the run uses, with a value for each option it declares.
struct plugin_choice {
  plugin::loaded library;
  std::string use;                   // the name as the user gave it: "vllm" for the alias of openai
  std::vector<option_value> values;  // values[i] answers library.options()[i]
  bool named = false;                // a reporter that --reporter names

  /// Creates it; a refusal names the line or flag that set the option at fault.
  [[nodiscard]] std::unique_ptr<plugin::instance> create(const plugin::services& shared) const;

  /// `why`, naming the line or flag that set the option at fault. What create() throws.
  [[nodiscard]] plugin::refused explain(const plugin::refused& why) const;

  /// Runs `what`, a later call of set-up into the created plugin; a refusal is explained.
  template <typename function>
  auto call(function&& what) const {
    try {
      return what();
    } catch (const plugin::refused& why) {
      throw explain(why);
    }
  }

  /// Sets a text option that the run settles itself; nothing when it is not declared.
  void set_text(std::string_view option, const std::string& text);

  /// Sets a switch likewise.
  void set_flag(std::string_view option, bool on);

  /// The value of the option of that name; nullptr when it is not declared or not set.
  [[nodiscard]] const option_value* find(std::string_view option) const;
  /// The same, set or not; nullptr when it is not declared.
  [[nodiscard]] option_value* value_of(std::string_view option);
};

}  // namespace inferbench::options
