// The flags of a command line, turned into settings of keys and of plugins' options. Also knows the
// flags that belong to the command itself, and the flags that are accepted without effect because
// their plugin is not in use. One object per command line; main thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/flag_settings.hpp"
#include "config/flags.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"

namespace inferbench::config {

class given_flags {
 public:
  /// `own`: the flags of the command that are not keys. `keys` and `env` must outlive the object.
  given_flags(const std::vector<options::option>& keys, std::vector<options::option> own,
              const options::environment& env);

  /// From now on the flags of plugins that the run does not use are accepted, as in upstream.
  /// `installed`: the options of installed plugins, in use or not; `missing`:
  /// missing_plugin_flags().
  void accept_idle(std::vector<options::option> installed, std::vector<options::option> missing);

  /// Replaces the settings of the command line in `into` by the flags of `line`. `used`: the
  /// plugins whose options the flags may set. Throws usage_error for a value that its declaration
  /// refuses.
  void read(const command_line& line, const used_plugins& used, sources& into);

  /// Adds flags of upstream's dataset `hf` as settings of the dataset that replaces it.
  void read_hub_flags(const command_line& line, const used_plugins& used, sources& into) const;

  /// The value of a flag of the command, or its default.
  [[nodiscard]] options::option_value own(std::string_view name) const;
  [[nodiscard]] const std::vector<options::option>& own_flags() const noexcept { return own_; }
  /// The flags without effect, with their values. Valid until the next read().
  [[nodiscard]] const fields& unused() const noexcept { return unused_.all(); }
  /// The declarations of all flags that are accepted.
  [[nodiscard]] std::vector<options::option> known(const used_plugins& used) const;

  /// Throws usage_error for a flag of a reporter that is not in use: the user expects a report that
  /// the run would not write. Flags of other plugins that are not in use get a warning, because
  /// upstream accepts the flags of all its datasets, and its scripts may have them.
  void refuse_idle_reporters(const command_line& line, const used_plugins& used) const;

  /// Adds warnings about old spellings and about flags without effect. `for_hub`: another dataset
  /// replaces `hf`.
  void add_warnings(const command_line& line, const used_plugins& used, bool for_hub,
                    std::vector<std::string>& warnings) const;

 private:
  [[nodiscard]] const options::option* idle_option(std::string_view name,
                                                   const used_plugins& used) const;
  void read_own(const options::option& declared, const given_flag& flag, sources& into);
  [[nodiscard]] std::string reason(const options::option& idle, const used_plugins& used,
                                   bool for_hub) const;

  const std::vector<options::option>& keys_;
  std::vector<options::option> own_;
  const options::environment& env_;
  std::map<std::string, options::option_value, std::less<>> own_values_;
  std::vector<options::option> installed_;
  std::vector<options::option> missing_;
  flag_settings unused_;
};

}  // namespace inferbench::config
