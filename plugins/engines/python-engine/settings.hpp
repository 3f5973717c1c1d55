// The settings with which a worker is started.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace python_engine {

/// The times for which the host waits for the worker.
struct time_limits {
  std::chrono::nanoseconds start{};    // until welcome
  std::chrono::nanoseconds load{};     // until ready
  std::chrono::nanoseconds silence{};  // without any frame during a batch
  std::chrono::nanoseconds cancel{};   // until a cancelled batch has ended
  std::chrono::nanoseconds stop{};     // after bye
};

struct worker_settings {
  std::vector<std::string> command;           // the interpreter, worker.py, the adapter
  std::vector<std::string> environment = {};  // NAME=value
  std::string engine_options = "{}";          // a JSON object
  bool shows_output = false;  // lines of the worker's output are logged at the level info
  time_limits limits = {};
};

/// Lays the JSON object `upper` over the JSON object `lower`; '-' in the names becomes '_'. An
/// empty text is an empty object. Throws failure with IFB_E_CONFIG, and the option's name `option`,
/// if a text is no JSON object.
[[nodiscard]] std::string merged_options(std::string_view lower, std::string_view upper,
                                         std::string_view option);

/// Removes the member `name` from the JSON object `options` and returns its text; empty if there is
/// none. Throws failure with IFB_E_CONFIG if it is no string.
[[nodiscard]] std::string taken_option(std::string& options, std::string_view name);

}  // namespace python_engine
