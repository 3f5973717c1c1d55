// The names of flags in the errors of a command that carries out another command: the user gave
// --output-len, and the command behind it refuses --structured-output-len. The error must name the
// flag of the user.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "options/refusal.hpp"

namespace inferbench::scripts {

/// The flag of the user for each flag of the command that is carried out. A value type.
class flag_names {
 public:
  flag_names() = default;

  /// The user sets `inner` by `own`; a later call replaces an earlier one. Both are without dashes.
  void add(std::string inner, std::string own);

  /// Flags that the user wrote in the words of the inner command, and which win there, keep their
  /// names.
  void keep(std::span<const std::string> words);

  /// The flag of the user for "--inner"; the text itself if it is no flag of the table.
  [[nodiscard]] std::string own(std::string_view flag) const;

  /// A text with the names of the user: each "--inner" of it that is a whole word, and no part of a
  /// longer name, is replaced.
  [[nodiscard]] std::string in(std::string_view text) const;

  /// Carries out `work` and returns its result. A base::error keeps its meaning and gets the names
  /// of the user in place, message and remedy; a usage_error stays a usage_error.
  template <typename function>
  auto told_by(function&& work) const -> decltype(std::forward<function>(work)()) {
    try {
      return std::forward<function>(work)();
    } catch (const options::usage_error& e) {
      throw options::usage_error(in(e.message()), in(e.remedy()), renamed(e.where()));
    } catch (const base::error& e) {
      throw base::error(in(e.message()), in(e.remedy()), renamed(e.where()));
    }
  }

 private:
  [[nodiscard]] base::source_position renamed(base::source_position where) const;

  std::map<std::string, std::string, std::less<>> own_;  // without dashes
};

}  // namespace inferbench::scripts
