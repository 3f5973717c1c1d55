// Reads one event of an answer in a single pass. This is the hot path of a run: it runs once per
// token. The reader knows the answers of completions and chat, streamed and whole, and skips
// members that it does not know. It does not recurse, whatever an event contains.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tool_call_list.hpp"

namespace openai {

/// Token counts of an answer; -1 if the server did not send the count.
struct usage {
  std::int64_t prompt = -1;
  std::int64_t cached = -1;
  std::int64_t output = -1;
  std::int64_t reasoning = -1;

  [[nodiscard]] bool known() const noexcept {
    return prompt >= 0 || cached >= 0 || output >= 0 || reasoning >= 0;
  }
};

/// The content of one event. The texts belong to the element of `choices` that has index 0. If no
/// element has index 0, they belong to the first element.
struct event {
  bool has_choice = false;     // `choices` exists and is not empty
  bool several = false;        // `choices` has more than one element
  std::uint32_t choice = 0;    // "index" of the element to which the texts belong
  std::string_view text;       // text
  std::string_view content;    // delta.content or message.content
  std::string_view reasoning;  // reasoning or reasoning_content, in the same object as content
  std::string_view tool_call;  // names and arguments of tool_calls, joined
  std::string_view finish_reason;
  openai::usage usage;  // may stand in the event or in a choice
};

enum class verdict : std::uint8_t {
  read,       // the event is filled in
  nothing,    // the value null, or only white space
  malformed,  // not a JSON object; trouble() returns the reason
  refused     // the server reports an error; trouble() returns it
};

/// Serves any number of requests, on one thread at a time. Between two calls it keeps only the
/// shapes of events and its buffers. Allocates only for an event that is larger than all earlier
/// events.
class event_reader {
 public:
  event_reader();
  event_reader(const event_reader&) = delete;
  event_reader& operator=(const event_reader&) = delete;
  ~event_reader();

  /// Views in `out` are valid until the next call, but not longer than `data`. Invalid UTF-8 in a
  /// text, and half a surrogate pair, become U+FFFD.
  [[nodiscard]] verdict read(std::string_view data, event& out);

  /// After an event with a tool call: the parts of calls in the choice that counts. The texts are
  /// valid like those of the event, but invalid UTF-8 in them is not replaced.
  [[nodiscard]] std::span<const call_part> calls() const noexcept;

  /// The two ways of read() for an event of an unknown shape. The first function returns nullopt
  /// for a malformed or unusual event, which the second function then reads. They are public for
  /// the test that compares their results. `data` must not be empty and must not begin or end with
  /// white space.
  [[nodiscard]] std::optional<verdict> read_quickly(std::string_view data, event& out);
  [[nodiscard]] verdict read_fully(std::string_view data, event& out);

  /// After the verdict malformed: the fault and the beginning of the data. After the verdict
  /// refused: the server's error as JSON text.
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  struct state;
  void begin(event& out);
  verdict finish(std::string_view data, event& out);
  void mend(event& out);

  std::unique_ptr<state> state_;
  std::string trouble_;
};

}  // namespace openai
