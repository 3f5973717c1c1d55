// The decisions of the user, by the flags of `serve`, wherever they were said: reporters need them
// to write the command line as upstream's parser would keep it.
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

/// By flag, without dashes; the value as JSON, secrets cut as to_json() cuts them.
class flag_settings {
 public:
  /// Unless the flag has a value already. A switch is true where it was given, whatever the key
  /// that it sets.
  void add(const options::option& declared, const options::option_value& value);
  void add(std::string_view flag, std::string json);

  [[nodiscard]] bool contains(std::string_view flag) const;
  [[nodiscard]] const fields& all() const noexcept { return all_; }

 private:
  fields all_;
};

/// `document`: the values in force. Those that somebody set are told, and those that every run
/// settles: the plugins, the endpoint, the beginning of request ids, whether the end of sequence
/// is ignored. What several flags of the line made together is told as each of them said it.
[[nodiscard]] flag_settings settings_by_flag(std::span<const resolved_table> document,
                                             const sources& from, const options::environment& env,
                                             const std::vector<options::option>& keys);

}  // namespace inferbench::config
