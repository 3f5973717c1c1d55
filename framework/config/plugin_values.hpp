// Gives each option of a plugin its value: the user's value, otherwise the value of the host key
// that sets the option, otherwise the declared default. Used on the main thread while the plan is
// built.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/key_values.hpp"
#include "config/plan.hpp"
#include "config/print.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"

namespace inferbench::config {

class plugin_values {
 public:
  /// `values`: the checked value of each host key; `from`: the settings of the user; `keys`: the
  /// declarations of the host keys. All references must outlive the object.
  plugin_values(const key_values& values, const sources& from, const options::environment& env,
                const std::vector<options::option>& keys)
      : values_(values), from_(from), env_(env), keys_(keys) {}

  /// The plugin with values for its options. Adds to `table` the values that the resolved
  /// configuration (print.hpp) has in the plugin's table. Throws base::error for a value that the
  /// declaration of its option refuses, and for a required option without a value, except for a
  /// model that the server names.
  [[nodiscard]] options::plugin_choice choice_of(const used_plugin& used,
                                                 resolved_table& table) const;
  /// The same for a plugin that is used only if the plugins before it cannot be used
  /// (used_plugins::tokenizers_after). Adds only the options that the user set and that `table`
  /// does not have yet.
  [[nodiscard]] options::plugin_choice choice_after(const used_plugin& used,
                                                    resolved_table& table) const;

 private:
  [[nodiscard]] options::option_value value_for(const used_plugin& used,
                                                const options::option& declared,
                                                bool& printed) const;
  [[nodiscard]] std::optional<options::option_value> file_for(
      const used_plugin& used, const std::optional<options::node>& given) const;
  [[nodiscard]] bool is_derived(std::string_view path) const;
  [[nodiscard]] options::option_value payload_model() const;
  [[nodiscard]] options::option_value api_key(const options::option& declared) const;
  [[nodiscard]] std::string spelling(const options::option& declared) const;

  const key_values& values_;
  const sources& from_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
};

}  // namespace inferbench::config
