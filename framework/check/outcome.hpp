// What one test of the conformance kit says about one plugin, and its way from the child
// process that ran it to the parent.
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
  std::string what;     // a clause
  std::string remedy;   // what the author does about it, or empty

  bool operator==(const finding&) const = default;
};

struct outcome {
  verdict said = verdict::passed;
  std::vector<finding> findings;   // in the order in which they were met
  std::vector<std::string> notes;  // information: figures, names
  std::string skipped;             // why, when skipped
  std::string output;  // what the plugin wrote to standard output or error; of a child only
  std::chrono::milliseconds took{0};
  bool left_behind = false;  // something of the plugin is busy still; where it ran only
};

/// failed, warned, skipped or passed, by what the outcome holds; crashed stays.
void settle(outcome& out);

/// Without `output` and `took`, which the parent knows better, and `left_behind`.
[[nodiscard]] std::string to_json(const outcome& out);
/// Nothing where `text` is not what to_json writes.
[[nodiscard]] std::optional<outcome> from_json(const std::string& text);

}  // namespace inferbench::check
