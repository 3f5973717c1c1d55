// Reads the frames of a journal, one after another, and skips damaged parts. The content of the
// file is not trusted: a crash may have cut it off, a disk may have changed it, and anybody may
// have written it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace inferbench::records {

/// The parts of the file that were skipped.
struct frame_damage {
  std::uint64_t places = 0;         // number of contiguous parts that were skipped
  std::uint64_t offset = 0;         // byte offset of the first skipped part
  std::uint64_t bytes_dropped = 0;  // total size of the skipped parts
  std::string reason;               // reason for the first skipped part: "a frame has a wrong
                                    // checksum"
  bool gave_up = false;             // the search took too long; the rest of the file was not read
};

/// Reads frames from a file. After a damaged frame it searches for the next good frame
///   1. at the end of the damaged frame, by the frame's own length,
///   2. after each field of the damaged frame's message,
///   3. after that, at each byte.
/// The text of an answer may look like a frame. So the inside of a field is searched only if steps
/// 1 and 2 do not find a good frame. Memory: the size of the longest frame. Time: each byte of the
/// file is examined a few times, for any content of the file. One thread.
class frame_source {
 public:
  /// `path` is for messages. Every function throws base::error if the file cannot be read.
  frame_source(base::fd file, std::filesystem::path path);

  /// Reads the next `size` bytes of the file; fewer if the file ends. Call this before the first
  /// frame.
  [[nodiscard]] std::string take(std::size_t size);

  /// The payload of the next good frame, which starts with the kind byte. Valid until the next
  /// call. Empty if there are no more frames.
  [[nodiscard]] std::string_view next();

  /// Counts the last returned frame as damage. Reading continues after it.
  void reject(std::string reason);
  /// Drops the last returned frame and the rest of the file.
  void drop_rest(std::string reason);

  /// nullopt if no damage was found so far.
  [[nodiscard]] const std::optional<frame_damage>& damage() const noexcept { return damage_; }

 private:
  struct sight {
    std::size_t size = 0;           // size of a good frame with its head; 0: there is no good frame
    const char* trouble = nullptr;  // the reason why there is no good frame
    bool cut_off = false;           // the frame would end after the end of the file
  };
  struct walk {
    std::size_t behind = 0;      // the offset of a good frame that follows a field; 0: there is
                                 // none
    std::size_t reached = 0;     // up to this offset, length and fields agree: the bytes belong to
                                 // the frame
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
  std::string window_;         // a part of the file
  std::uint64_t begin_ = 0;    // offset of the window in the file
  std::size_t at_ = 0;         // offset in the window of the next byte to be read
  std::size_t given_ = 0;      // size of the last returned frame, which stays at at_ until the next
                               // call
  bool file_over_ = false;     // the last byte of the file has been read
  std::uint64_t in_vain_ = 0;  // number of examined bytes that did not belong to a good frame
  bool gave_up_ = false;       // in_vain_ is above its limit
  std::uint64_t damaged_until_ = 0;  // end of the last damaged part; damage that begins here
                                     // belongs to the same part
  std::optional<frame_damage> damage_;
};

}  // namespace inferbench::records
