// One message of an answer, read in a single pass along the paths of a section and without a
// tree: the hot path of a run. Values that no path leads to are skipped. Nothing in a message
// makes it recurse.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "backends/openai_family/event.hpp"
#include "finder.hpp"

namespace template_backend {

/// The content of a message apart from its texts and the server's counts: the same in many.
struct marks {
  std::int64_t tokens = -1;
  std::int64_t token_ids = -1;  // their number
  std::int64_t choice = -1;
  bool has_text = false;  // there is a text, which may be empty
  bool has_reasoning = false;
  bool token_event = false;
  bool special = false;
  bool end = false;

  bool operator==(const marks&) const = default;
};

/// The content of a message. Numbers that it lacks are -1.
struct event {
  std::string_view text;
  std::string_view reasoning;
  std::string_view finish_reason;
  openai::usage usage;
  marks is;
};

/// Serves any number of requests and sections, on one thread at a time. Keeps the shapes of a
/// section's messages, and nothing else beyond the next call. Allocates only for a message larger
/// than all before, and when the section changes.
class reader {
 public:
  reader();
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;
  ~reader();

  /// `data` has no blanks at its ends. Views in `out` are valid until the next call, and no
  /// longer than `data`. Bad UTF-8 in a text, and half a surrogate pair, read as U+FFFD.
  [[nodiscard]] openai::verdict read(const finder& where, std::string_view data, event& out);

  /// For a text that grows from message to message: `text` behind its first `size` bytes, with a
  /// character that is cut there replaced. Valid as the views of read().
  [[nodiscard]] std::string_view behind(std::string_view text, std::size_t size);

  /// malformed: what is wrong and the beginning of the data; refused: the server's error if it
  /// is a text, else the whole message.
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
