// The outcome of one test of the conformance kit on one plugin, and its transfer from the child
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
  bool failure = true;   // false: a warning
  std::string what{};    // the problem, as a clause
  std::string remedy{};  // the action by which the author can correct the problem, or empty

  bool operator==(const finding&) const = default;
};

/// The finding for a struct of a plugin in which the member `reserved` is not 0. `in`: the struct,
/// such as "an ifb_usage".
[[nodiscard]] finding reserved_is_set(const std::string& in, std::uint32_t value);

struct outcome {
  verdict said = verdict::passed;
  std::vector<finding> findings;   // in the order in which the test found them
  std::vector<std::string> notes;  // information: figures, names
  std::string skipped;             // the reason why the test was skipped; empty if it was not
                                   // skipped
  std::string output;  // the plugin's text on standard output and error; only if the test ran in a
                       // child process
  std::chrono::milliseconds took{0};
  /// True if a thread of the plugin is still busy. Known only in the process of the test.
  bool left_behind = false;
};

/// Sets the verdict to failed, warned, skipped or passed, according to the other members. The
/// verdict crashed is not changed.
void settle(outcome& out);

/// The outcome as JSON. The members `output`, `took` and `left_behind` are left out: the parent
/// measures the first two, and does not need the third.
[[nodiscard]] std::string to_json(const outcome& out);
/// nullopt if `text` was not written by to_json().
[[nodiscard]] std::optional<outcome> from_json(const std::string& text);

}  // namespace inferbench::check
