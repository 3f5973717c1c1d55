// The calls of tools in one answer, put together from the parts in its events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openai {

/// The part of a call that one event has. The texts are valid as long as the event.
struct call_part {
  std::int64_t index =
      -1;  // the number of the call in the answer; -1 if the server did not send it
  std::string_view name;
  std::string_view arguments;
};

/// Parts with the same index belong to one call. A part without an index begins a call if it has a
/// name, and continues the last call otherwise. Arguments are appended; a name comes once, and a
/// second, different name begins another call, even under the same index. For one thread at a time.
class tool_call_list {
 public:
  /// An answer with more calls is a fault of the server. Its further calls are left out.
  static constexpr std::size_t most_calls = 1024;

  /// Adds the parts of an event of the choice `choice`. Only one choice counts, as for the text of
  /// the answer: the first that has calls, which choice 0 replaces.
  void add(std::span<const call_part> parts, std::uint32_t choice);

  /// Sets the arguments of the call with this index if none of its parts had any. `whole`: all
  /// arguments of the call. Does nothing if there is no such call; -1 means the last call.
  void complete(std::int64_t index, std::string_view whole);

  /// Returns a JSON array of objects with "name" and "arguments", a text as the server sent it.
  /// Invalid UTF-8 becomes U+FFFD.
  [[nodiscard]] std::string text() const;

 private:
  struct tool_call {
    std::int64_t index = -1;
    std::string name;
    std::string arguments;
  };
  [[nodiscard]] tool_call* call_of(const call_part& part);

  std::vector<tool_call> calls_;
  std::uint32_t choice_ = 0;
};

}  // namespace openai
