// The checked values of the host's keys by path, used while the plan is built.
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

/// The functions accept only the paths of existing keys.
class key_values {
 public:
  /// Checks every key. A key that a plugin in use declares itself stays unset, because the plugin's
  /// declaration is used to check it. Throws the errors of check(). `keys` must outlive this
  /// object.
  key_values(const sources& from, const used_plugins& used, const options::environment& env,
             const std::vector<options::option>& keys);

  [[nodiscard]] const options::option_value& at(std::string_view path) const;
  [[nodiscard]] options::option_value& at(std::string_view path);
  [[nodiscard]] bool on(std::string_view path) const { return at(path).integer != 0; }
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  /// The declaration of the key itself, not of a flag that sets a member of the key's JSON.
  [[nodiscard]] const options::option& key(std::string_view path) const;

 private:
  const std::vector<options::option>& keys_;
  std::map<std::string, options::option_value, std::less<>> values_;
};

}  // namespace inferbench::config
