// All input of config except arguments and files: environment variables and random bits. It is
// passed by reference, so that tests can set both.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace inferbench::options {

struct environment {
  std::map<std::string, std::string, std::less<>> variables;
  std::function<std::uint32_t()> random;  // returns 32 new random bits at each call

  /// The variables of this process, and the random source of the system.
  [[nodiscard]] static environment of_process();

  /// The value of a variable; nullptr if it is not set. Valid as long as the environment.
  [[nodiscard]] const std::string* find(std::string_view name) const;

  /// `path`, in which a leading "~" is replaced by $HOME if the path is "~" or begins with "~/" and
  /// $HOME is set.
  [[nodiscard]] std::string expand(std::string_view path) const;
};

}  // namespace inferbench::options
