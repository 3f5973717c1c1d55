// The user's settings as flags of `serve`, from the command line or the file. Reporters need them
// to write the arguments in the form of upstream's parser.
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

/// Pairs of a flag, without dashes, and its value as JSON. Secrets are replaced by "(cut)", like in
/// to_json().
class flag_settings {
 public:
  /// Adds the flag, unless it has been added already. A switch that the user gave has the value
  /// true, even if it sets its key to false.
  void add(const options::option& declared, const options::option_value& value);
  void add(std::string_view flag, std::string json);

  [[nodiscard]] bool contains(std::string_view flag) const;
  [[nodiscard]] const fields& all() const noexcept { return all_; }

 private:
  fields all_;
};

/// `document`: the values that the run uses. The result has the values that the user set, and
/// always the plugins, the endpoint, the prefix of request ids, and whether the end of sequence is
/// ignored. If several flags of the command line set one value together, the result has each of
/// these flags with its own value. `reporters`: the reporters of the run; the result has the flag
/// `reporter` with those that the command line or the file names, and their own flags.
[[nodiscard]] flag_settings settings_by_flag(std::span<const resolved_table> document,
                                             const sources& from, const options::environment& env,
                                             const std::vector<options::option>& keys,
                                             std::span<const used_plugin> reporters);

}  // namespace inferbench::config
