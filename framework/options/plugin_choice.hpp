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

/// One checked option value; plugin_choice::create() makes an ifb_value that points into it.
struct option_value {
  ifb_type type = 0;
  bool is_set = false;
  std::int64_t integer = 0;       // INT, BOOL, DURATION, SIZE
  double number = 0;              // FLOAT
  std::string text;               // STRING, PATH, CHOICE, JSON
  std::vector<std::string> list;  // STRINGS
  base::source_position where;    // the flag or line that set it; unknown for a default
  std::string variable;           // the environment variable that held it; empty: none
};

/// A plugin that the run uses, with a value for each option it declares.
struct plugin_choice {
  plugin::loaded library;
  std::string use;                   // the name as the user gave it: "vllm" for the alias of openai
  std::vector<option_value> values;  // values[i] belongs to library.options()[i]
  bool named = false;                // a reporter that --reporter names

  /// Creates the plugin. Throws plugin::refused, which names the line or flag that set the option
  /// at fault.
  [[nodiscard]] std::unique_ptr<plugin::instance> create(const plugin::services& shared) const;

  /// `why`, with the line or flag that set the option at fault. create() throws such errors.
  [[nodiscard]] plugin::refused explain(const plugin::refused& why) const;

  /// Runs `what`, a later set-up call into the created plugin. A plugin::refused from it is thrown
  /// as explain() returns it.
  template <typename function>
  auto call(function&& what) const {
    try {
      return what();
    } catch (const plugin::refused& why) {
      throw explain(why);
    }
  }

  /// Sets a text option that the run decides itself; does nothing if it is not declared.
  void set_text(std::string_view option, const std::string& text);

  /// Sets a switch in the same way.
  void set_flag(std::string_view option, bool on);

  /// The value of the option of this name; nullptr if it is not declared or not set.
  [[nodiscard]] const option_value* find(std::string_view option) const;
  /// The same, whether set or not; nullptr if it is not declared.
  [[nodiscard]] option_value* value_of(std::string_view option);
};

}  // namespace inferbench::options
