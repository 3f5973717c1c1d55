// The frames of a journal, one after another; damaged parts are passed over. Nothing in the file
// is trusted: a crash may have torn it, a disk may have changed it, and anybody may have written
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace inferbench::records {

/// The parts of the file that were passed over.
struct frame_damage {
  std::uint64_t places = 0;         // unbroken stretches that were passed over
  std::uint64_t offset = 0;         // of the first byte of the first stretch
  std::uint64_t bytes_dropped = 0;  // in all stretches
  std::string reason;               // of the first stretch: "a frame has a wrong checksum"
  bool gave_up = false;             // the search took too long; the rest of the file was left
};

/// Reads frames from a file. After a damaged frame it looks for the next good frame
///   1. where the damaged frame ends by its length,
///   2. behind each field of the damaged frame's message,
///   3. from there on at each byte.
/// The text of an answer may look like a frame; so the inside of a field is searched only where
/// neither length nor fields lead to a good frame. Memory: the longest frame. Time: a few looks
/// at each byte of the file, whatever it holds. One thread.
class frame_source {
 public:
  /// `path` is for messages. Every function may throw base::error: the file cannot be read.
  frame_source(base::fd file, std::filesystem::path path);

  /// Takes the next bytes of the file, fewer at its end. Call this before the first frame.
  [[nodiscard]] std::string take(std::size_t size);

  /// The payload of the next good frame, kind byte first, valid until the next call. Empty:
  /// there is no further frame.
  [[nodiscard]] std::string_view next();

  /// Counts the frame given last as damage; the frames after it are read.
  void reject(std::string reason);
  /// Drops the frame given last and all that follows it.
  void drop_rest(std::string reason);

  /// Nothing: there was no damage so far.
  [[nodiscard]] const std::optional<frame_damage>& damage() const noexcept { return damage_; }

 private:
  struct sight {
    std::size_t size = 0;           // of a good frame and its head; 0: there is no good frame
    const char* trouble = nullptr;  // why there is no good frame
    bool cut_off = false;           // the frame would end behind the file
  };
  struct walk {
    std::size_t behind = 0;      // where a good frame follows a field; 0: nowhere
    std::size_t reached = 0;     // up to here length and fields agree: the bytes are the frame's
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
  std::string window_;       // a part of the file
  std::uint64_t begin_ = 0;  // place of the window in the file
  std::size_t at_ = 0;       // place in the window of the next byte to be read
  std::size_t given_ = 0;   // bytes of the frame given last, which stand at at_ until the next call
  bool file_over_ = false;  // its last byte is or was in the window
  std::uint64_t in_vain_ = 0;        // bytes looked at that did not belong to a good frame
  bool gave_up_ = false;             // in_vain_ is over its limit
  std::uint64_t damaged_until_ = 0;  // end of the last damage; damage from there on belongs to it
  std::optional<frame_damage> damage_;
};

}  // namespace inferbench::records
