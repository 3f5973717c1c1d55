// One event of an answer, read in a single pass: the hot path of a run, once per
// token. Knows the answers of completions and chat, streamed and whole, and skips
// members that it does not know. Nothing in an event makes it recurse.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace openai {

/// Token counts of an answer; -1 if the server gave none.
struct usage {
  std::int64_t prompt = -1;
  std::int64_t cached = -1;
  std::int64_t output = -1;
  std::int64_t reasoning = -1;

  [[nodiscard]] bool known() const noexcept {
    return prompt >= 0 || cached >= 0 || output >= 0 || reasoning >= 0;
  }
};

/// The content of one event. Texts are those of the element of `choices` with index 0; where none
/// has it, of the first element.
struct event {
  bool has_choice = false;     // `choices` is there and not empty
  bool several = false;        // it has more than one element
  std::uint32_t choice = 0;    // "index" of the element that the texts are of
  std::string_view text;       // text
  std::string_view content;    // delta.content or message.content
  std::string_view reasoning;  // reasoning or reasoning_content beside it
  std::string_view tool_call;  // names and arguments of tool_calls, joined
  std::string_view finish_reason;
  openai::usage usage;  // wherever it stands: in the event or in a choice
};

enum class verdict : std::uint8_t {
  read,       // the event is filled in
  nothing,    // the value null, or nothing but white space
  malformed,  // no JSON object; why: trouble()
  refused     // the server reports an error; which: trouble()
};

/// Serves any number of requests, on one thread at a time. Keeps the shapes of events, and
/// nothing else beyond the next call. Allocates only for an event larger than all before.
class event_reader {
 public:
  event_reader();
  event_reader(const event_reader&) = delete;
  event_reader& operator=(const event_reader&) = delete;
  ~event_reader();

  /// Views in `out` are valid until the next call, and no longer than `data`. Bad UTF-8
  /// in a text, and half a surrogate pair, read as U+FFFD.
  [[nodiscard]] verdict read(std::string_view data, event& out);

  /// The two ways of read() for an event of an unknown shape. The first returns nothing for
  /// a malformed or unusual event, which the second then reads. Public for the test that
  /// compares their results. `data` has no blanks at its ends and is not empty.
  [[nodiscard]] std::optional<verdict> read_quickly(std::string_view data, event& out);
  [[nodiscard]] verdict read_fully(std::string_view data, event& out);

  /// malformed: what is wrong and the beginning of the data; refused: the server's
  /// error as JSON text.
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
