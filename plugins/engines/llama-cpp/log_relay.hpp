// The log of libllama, which has one log for the whole process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

#include "api.hpp"

namespace llama_cpp {

/// Sends the lines of libllama's log to the log of one host: warnings and errors as warnings,
/// everything else as debug lines. If several relays exist, the latest receives the lines. When a
/// relay that receives ends, libllama's lines are dropped. [any thread]
class log_relay {
 public:
  log_relay(const llama_api& api, ifb::host host);
  ~log_relay();
  log_relay(const log_relay&) = delete;
  log_relay& operator=(const log_relay&) = delete;

  /// Returns `what` and the errors that libllama has logged since the last call of this function or
  /// of forget_errors(): at most the latest four, each cut, joined by "; ". They give the reason of
  /// a failure, because libllama's functions give none. Returns `what` alone if there are none.
  [[nodiscard]] std::string with_reason(std::string_view what);
  /// Drops these errors. Called after each stage of loading that succeeded.
  void forget_errors();

 private:
  [[nodiscard]] std::vector<std::string> take_errors();
  static void receive(ggml_log_level level, const char* text, void* unused);
  void line(ggml_log_level level, std::string_view text);

  ifb::host host_;
  std::vector<std::string> errors_;  // the oldest first
};

}  // namespace llama_cpp
