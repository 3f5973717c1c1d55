// The checked value of a declared option; and a plugin of a run with a value for each option that
// the plugin declares.
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

/// A checked option value. plugin_choice::create() makes an ifb_value that points into this object.
struct option_value {
  ifb_type type = 0;
  bool is_set = false;
  std::int64_t integer = 0;       // INT, BOOL, DURATION, SIZE
  double number = 0;              // FLOAT
  std::string text;               // STRING, PATH, CHOICE, JSON
  std::vector<std::string> list;  // STRINGS
  base::source_position where;    // the flag or line that set the value; unknown for a default
  std::string variable;           // the environment variable from which the value came; empty: no
                                  // variable
};

/// A plugin that the run uses, with a value for each option that the plugin declares.
struct plugin_choice {
  plugin::loaded library;
  std::string use;                   // the name as the user gave it, which may be an alias: "vllm"
                                     // means openai
  std::vector<option_value> values;  // values[i] belongs to library.options()[i]
  bool named = false;                // a reporter that --reporter names

  /// Creates the plugin. Throws plugin::refused, which contains the line or flag that set the
  /// refused option.
  [[nodiscard]] std::unique_ptr<plugin::instance> create(const plugin::services& shared) const;

  /// A copy of `why` that also contains the line or flag that set the refused option. create()
  /// throws errors in this form.
  [[nodiscard]] plugin::refused explain(const plugin::refused& why) const;

  /// Runs `what`, which makes a set-up call into the plugin after create(). If it throws
  /// plugin::refused, this function throws the result of explain().
  template <typename function>
  auto call(function&& what) const {
    try {
      return what();
    } catch (const plugin::refused& why) {
      throw explain(why);
    }
  }

  /// Sets a general text option (IFB_OPT_GENERAL), whose value the run decides. Does nothing if the
  /// plugin does not declare the option, or has its own option with this name.
  void set_text(std::string_view option, const std::string& text);

  /// The value of the option with this name; nullptr if the plugin does not declare the option or
  /// if it is not set.
  [[nodiscard]] const option_value* find(std::string_view option) const;
  /// The value of the option with this name, which may be unset; nullptr if the plugin does not
  /// declare the option.
  [[nodiscard]] option_value* value_of(std::string_view option);
  /// Like value_of(), but also nullptr if the option is the plugin's own and not general.
  [[nodiscard]] option_value* general_value_of(std::string_view option);
  [[nodiscard]] const option_value* general_value_of(std::string_view option) const;
};

}  // namespace inferbench::options
