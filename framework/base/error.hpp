// The only exception of the set-up: what is wrong, its position, and the remedy, for the user.
// Thrown by the code that reads the configuration, plugins and files. Some callers catch it, to add
// a position or to continue without the failed part; cli/main.cpp prints each error that no other
// code has handled. No exception leaves a worker: a failed request is data (client/record.hpp).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace inferbench::base {

/// A place in a file or on the command line; for the command line `file` is the name of a flag
/// ("--seed"). Lines and columns count from 1; 0 means unknown.
struct source_position {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "bench.toml:12:3", "bench.toml:12", "bench.toml" or "".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool known() const { return !file.empty(); }
};

/// The text of the exception that is being handled, as one line of valid UTF-8. Call it in a catch
/// block only.
[[nodiscard]] std::string text_of_current_exception();

class error : public std::runtime_error {
 public:
  /// `message`: what is wrong, a clause without a full stop. `remedy`: what the user can do, a
  /// clause without a full stop, or empty. what() is the line that the user reads:
  /// "bench.toml:12:3: request-rate must be positive, not -1; use inf to send at once".
  explicit error(std::string message, std::string remedy = {}, source_position where = {});

  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& remedy() const noexcept { return remedy_; }
  [[nodiscard]] const source_position& where() const noexcept { return where_; }

 private:
  std::string message_;
  std::string remedy_;
  source_position where_;
};

}  // namespace inferbench::base
