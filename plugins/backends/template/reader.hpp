// Reads one message of an answer in a single pass, along the paths of a section and without a tree.
// This is the hot path of a run. Values to which no path leads are skipped. The reader does not
// recurse, whatever a message contains.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "backends/openai_family/event.hpp"
#include "finder.hpp"

namespace template_backend {

/// The content of a message without its texts and the server's counts. Many messages have the same
/// marks.
struct marks {
  std::int64_t tokens = -1;
  std::int64_t token_ids = -1;  // the number of token ids
  std::int64_t choice = -1;
  bool has_text = false;  // the message has a text, which may be empty
  bool has_reasoning = false;
  bool token_event = false;
  bool special = false;
  bool end = false;

  bool operator==(const marks&) const = default;
};

/// The content of a message. A number that the message lacks is -1.
struct event {
  std::string_view text;
  std::string_view reasoning;
  std::string_view finish_reason;
  openai::usage usage;
  marks is;
};

/// Serves any number of requests and sections, on one thread at a time. Between two calls it keeps
/// only the shapes of a section's messages and its buffers. Allocates only for a message that is
/// larger than all earlier messages, and when the section changes.
class reader {
 public:
  reader();
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;
  ~reader();

  /// `data` must not begin or end with white space. Views in `out` are valid until the next call,
  /// but not longer than `data`. Invalid UTF-8 in a text, and half a surrogate pair, become U+FFFD.
  [[nodiscard]] openai::verdict read(const finder& where, std::string_view data, event& out);

  /// For a text that grows from message to message: returns the part of `text` after its first
  /// `size` bytes. If this cut splits a character, its rest is replaced. The view is valid as long
  /// as the views of read().
  [[nodiscard]] std::string_view behind(std::string_view text, std::size_t size);

  /// After the verdict malformed: the fault and the beginning of the data. After the verdict
  /// refused: the server's error if it is a text, otherwise the whole message.
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  struct state;
  openai::verdict finish(std::string_view data, event& out);
  void mend(event& out);

  std::unique_ptr<state> state_;
  std::array<std::string, 4> mended_;
  std::string trouble_;
};

}  // namespace template_backend
