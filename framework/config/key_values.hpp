// The checked values of the host's keys while the plan is built, by path.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/plan.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Callers pass only the paths of existing keys.
class key_values {
 public:
  /// Checks every key. Keys that a plugin in use declares itself stay unset, since the plugin's
  /// declaration decides for them. Throws as check(). `keys` must outlive the result.
  key_values(const sources& from, const used_plugins& used, const options::environment& env,
             const std::vector<options::option>& keys);

  [[nodiscard]] const options::option_value& at(std::string_view path) const;
  [[nodiscard]] options::option_value& at(std::string_view path);
  [[nodiscard]] bool on(std::string_view path) const { return at(path).integer != 0; }
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  /// The declaration of the key itself, not of a flag that sets a member of its JSON.
  [[nodiscard]] const options::option& key(std::string_view path) const;

 private:
  const std::vector<options::option>& keys_;
  std::map<std::string, options::option_value, std::less<>> values_;
};

}  // namespace inferbench::config
