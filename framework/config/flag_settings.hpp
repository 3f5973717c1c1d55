// The settings of the user by flag of `serve`, from the command line or the file. Reporters need
// them to write the arguments as upstream's parser would keep them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/plan.hpp"
#include "config/print.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Pairs of a flag, without dashes, and its value as JSON. Secrets are cut as in to_json().
class flag_settings {
 public:
  /// Adds the flag, unless it has a value already. A switch that was given is true, even if it
  /// sets its key to false.
  void add(const options::option& declared, const options::option_value& value);
  void add(std::string_view flag, std::string json);

  [[nodiscard]] bool contains(std::string_view flag) const;
  [[nodiscard]] const fields& all() const noexcept { return all_; }

 private:
  fields all_;
};

/// `document`: the values in force. The result has the values that the user set and the values that
/// every run decides: the plugins, the endpoint, the beginning of request ids, and whether the end
/// of sequence is ignored. If several flags of the line made a value together, the result has each
/// of these flags with its own value.
[[nodiscard]] flag_settings settings_by_flag(std::span<const resolved_table> document,
                                             const sources& from, const options::environment& env,
                                             const std::vector<options::option>& keys);

}  // namespace inferbench::config
