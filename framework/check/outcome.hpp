// The outcome of one test of the conformance kit on one plugin, and its way from the child
// process that ran the test to the parent.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::check {

enum class verdict : std::uint8_t { passed, warned, failed, crashed, skipped };
/// "passed", "warned", ...
[[nodiscard]] std::string_view name_of(verdict v);

struct finding {
  bool failure = true;  // else a warning
  std::string what;     // what is wrong, a clause
  std::string remedy;   // what the author can do about it, or empty

  bool operator==(const finding&) const = default;
};

struct outcome {
  verdict said = verdict::passed;
  std::vector<finding> findings;   // in the order in which they were met
  std::vector<std::string> notes;  // information: figures, names
  std::string skipped;             // why, when skipped
  std::string output;  // the plugin's text on standard output and error; only from a child
  std::chrono::milliseconds took{0};
  /// A thread of the plugin is still busy; known only in the process of the test.
  bool left_behind = false;
};

/// Sets the verdict to failed, warned, skipped or passed, by the contents of the outcome;
/// crashed stays.
void settle(outcome& out);

/// Without `output`, `took` and `left_behind`, which the parent finds out by itself.
[[nodiscard]] std::string to_json(const outcome& out);
/// nullopt if `text` was not written by to_json().
[[nodiscard]] std::optional<outcome> from_json(const std::string& text);

}  // namespace inferbench::check
