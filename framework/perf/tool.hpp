// A tool of the system whose output is read, such as nvidia-smi.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inferbench::perf {

/// Runs a tool and returns its standard output; nullopt if the tool is not there or fails. Tests
/// use functions of their own.
using tool_output = std::function<std::optional<std::string>(const std::vector<std::string>&)>;

/// Runs the program with its arguments, without standard input and with its standard error dropped.
/// nullopt if it cannot be started, does not end with the status 0 within `limit`, or writes more
/// than 1 MiB. Any thread.
[[nodiscard]] std::optional<std::string> output_within(const std::vector<std::string>& words,
                                                       std::chrono::milliseconds limit);

/// The same within 30 s.
[[nodiscard]] std::optional<std::string> output_of(const std::vector<std::string>& words);

}  // namespace inferbench::perf
