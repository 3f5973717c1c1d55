// The frames of a journal, one after the other, past what is damaged. Believes nothing: lengths
// and contents come from a file that a crash may have torn, a disk changed or anybody written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace inferbench::records {

/// The parts that were passed over.
struct frame_damage {
  std::uint64_t places = 0;         // stretches of bytes that are not used
  std::uint64_t offset = 0;         // of the first byte of the first one
  std::uint64_t bytes_dropped = 0;  // in all of them
  std::string reason;               // of the first: "a frame has a wrong checksum"
  bool gave_up = false;             // too much was searched in vain; the rest was left
};

/// Behind a damaged frame it goes on with the next good one, which it looks for
///   1. where the damaged one ends by its length,
///   2. behind each field of its message,
///   3. from there on at each byte.
/// What an answer's text holds may look like a frame; so the inside of a field is searched only
/// where neither length nor fields lead on. Memory: the longest frame. Time: a few looks at each
/// byte of the file, whoever wrote it. One thread.
class frame_source {
 public:
  /// `path` is for messages. Every function may throw base::error: the file cannot be read.
  frame_source(base::fd file, std::filesystem::path path);

  /// The next bytes of the file, fewer at its end; they are taken. Before the first frame.
  [[nodiscard]] std::string take(std::size_t size);

  /// The payload of the next good frame, kind byte first, valid until the next call; empty: there
  /// is none.
  [[nodiscard]] std::string_view next();

  /// The frame given last means nothing: it is damage, what follows it is not.
  void reject(std::string reason);
  /// The frame given last and all that follows is not used.
  void drop_rest(std::string reason);

  /// Nothing: no damage so far.
  [[nodiscard]] const std::optional<frame_damage>& damage() const noexcept { return damage_; }

 private:
  struct sight {
    std::size_t size = 0;           // of a good frame with its head
    const char* trouble = nullptr;  // why it is none
    bool cut_off = false;           // it would end behind the file
  };
  struct walk {
    std::size_t behind = 0;      // a good frame follows a field here; 0: none does
    std::size_t reached = 0;     // so far length and fields agree on what is the frame's
    bool past_the_file = false;  // the file ends within a field
  };

  [[nodiscard]] bool have(std::size_t size);
  [[nodiscard]] std::string_view ahead(std::size_t from, std::size_t size) const;
  [[nodiscard]] sight look(std::size_t from);
  [[nodiscard]] bool may_begin(std::size_t from);
  [[nodiscard]] walk walk_fields(std::size_t end);
  [[nodiscard]] std::optional<std::uint64_t> varint(std::size_t& at);
  void search(const sight& bad);
  void advance(std::size_t size);
  void advance_to_end();
  void note(std::uint64_t from, std::string reason);

  [[nodiscard]] std::uint64_t offset() const noexcept { return begin_ + at_; }
  [[nodiscard]] bool searched_enough() const noexcept;

  base::fd file_;
  std::filesystem::path path_;
  std::string window_;               // of the file
  std::uint64_t begin_ = 0;          // of the window in the file
  std::size_t at_ = 0;               // in the window: what comes next
  std::size_t given_ = 0;            // bytes of the frame given last, still in front of at_
  bool file_over_ = false;           // all of it is in the window or was
  std::uint64_t in_vain_ = 0;        // bytes looked at that were no good frame
  bool gave_up_ = false;             // too many
  std::uint64_t damaged_until_ = 0;  // where the last damage ended: what touches it is the same
  std::optional<frame_damage> damage_;
};

}  // namespace inferbench::records
