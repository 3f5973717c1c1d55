// Gives each option of a reporter of `inferbench report` its value. Unlike in a run, the default of
// a host key is not used: a key has an effect only if its flag is on the command line. Main thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/flags.hpp"
#include "config/named_reporter.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::config {

class report_values {
 public:
  /// `shared`: the keys of the host whose flags `report` takes. All references must outlive the
  /// object.
  report_values(const command_line& line, const std::vector<options::option>& shared,
                const options::environment& env)
      : line_(line), shared_(shared), env_(env) {}

  /// The values of the options `all`, which the reporter `asked` declares, in their order. The
  /// first of these sources with a value counts: the option's own flag, for the reporter's file
  /// --reporter, the flag of the shared key that sets the option, the declared default. Throws
  /// base::error if a value is refused, or if a required option has no value.
  [[nodiscard]] std::vector<options::option_value> values_of(
      const named_reporter& asked, const std::vector<options::option>& all) const;

  /// The value that a flag on the command line gives to `declared`. Throws the errors of
  /// options::check().
  [[nodiscard]] options::option_value checked(const options::option& declared,
                                              const given_flag& given) const;

 private:
  [[nodiscard]] options::option_value value(const named_reporter& asked,
                                            const std::vector<options::option>& all,
                                            const options::option& own) const;
  [[nodiscard]] std::string flag_of(const options::option& own) const;
  [[nodiscard]] std::string text_of(std::string_view path) const;
  [[nodiscard]] const options::option* shared_key(const options::option& own) const;

  const command_line& line_;
  const std::vector<options::option>& shared_;
  const options::environment& env_;
};

}  // namespace inferbench::config
