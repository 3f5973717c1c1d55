// One message of an answer, read in a single pass along the paths of a section and without a
// tree: the hot path of a run. What no path leads to is stepped over. Nothing in a message
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

/// What a message says beside its texts and the server's counts: the same in many.
struct marks {
  std::int64_t tokens = -1;
  std::int64_t token_ids = -1;  // how many
  std::int64_t choice = -1;
  bool has_text = false;  // it is there, if empty
  bool has_reasoning = false;
  bool token_event = false;
  bool special = false;
  bool end = false;

  bool operator==(const marks&) const = default;
};

/// What a message says. Numbers are -1 where it does not.
struct event {
  std::string_view text;
  std::string_view reasoning;
  std::string_view finish_reason;
  openai::usage usage;
  marks is;
};

/// Serves any number of requests and sections, on one thread at a time; nothing of a message is
/// kept beyond the next, but for what those of a section have in common. Allocates only for a
/// message larger than all before, and where the section is another than before.
class reader {
 public:
  reader();
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;
  ~reader();

  /// `data` has no blanks at its ends. Views in `out` are valid until the next call, and no
  /// longer than `data`. Bad UTF-8 in a text, and half a surrogate pair, read as U+FFFD.
  [[nodiscard]] openai::verdict read(const finder& where, std::string_view data, event& out);

  /// Behind what an earlier message had of a text that grows: `text` from `size` on, mended
  /// where that is inside a character. Valid as the views of read().
  [[nodiscard]] std::string_view behind(std::string_view text, std::size_t size);

  /// malformed: what is wrong and the beginning of the data; refused: the server's error, as
  /// text or, where it is none, the whole message.
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
