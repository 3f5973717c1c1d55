// A byte-level vocabulary that is converted back to bytes: the bytes of its tokens, and a table
// that finds the pieces of a text that are tokens themselves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "byte_cuts.hpp"
#include "tokenizers/common/hash.hpp"
#include "tokenizers/common/vocabulary.hpp"

namespace tokenizers::hf {

/// Immutable, except for notes about tokens: [any thread].
class byte_vocabulary {
 public:
  /// The number of bytes after a token that may be read safely.
  static constexpr std::size_t padding = 16;

  /// Makes an empty vocabulary.
  byte_vocabulary() = default;
  /// The vocabulary stays empty if there are large gaps between ids, or if two tokens share an id.
  explicit byte_vocabulary(const vocabulary& tokens);

  [[nodiscard]] bool empty() const noexcept { return begins_.empty(); }
  /// Returns the bytes that a token spells. If the token contains a character that does not spell a
  /// byte, returns the token itself. Empty for an id without a token. The vocabulary must not be
  /// empty.
  [[nodiscard]] std::string_view bytes_of(std::uint32_t id) const noexcept {
    if (std::size_t{id} + 1 >= begins_.size()) return std::string_view(pool_).substr(0, 0);
    return {pool_.data() + begins_[id], begins_[id + 1] - begins_[id]};
  }

  /// Whether merging the bytes of a token yields the token itself or other tokens.
  enum class fate : std::uint32_t { unknown, itself, others };
  class entry {
   public:
    [[nodiscard]] std::uint32_t id() const noexcept { return read() >> 2U; }
    [[nodiscard]] fate becomes() const noexcept { return static_cast<fate>(read() & 3U); }
    /// May be called by several threads, because all of them store the same value.
    void settle(fate as) noexcept {
      what_.store((read() & ~3U) | static_cast<std::uint32_t>(as), std::memory_order_relaxed);
    }

   private:
    friend class byte_vocabulary;
    [[nodiscard]] std::uint32_t read() const noexcept {
      return what_.load(std::memory_order_relaxed);
    }
    std::uint64_t key_ = 0;  // the bytes; for more than eight bytes, their hash
    std::uint32_t size_ = 0;
    std::atomic<std::uint32_t> what_{0};
  };
  /// Returns the token that is equal to `piece`; null if there is none. `piece` must not be empty,
  /// and `hash` must be tokenizers::hash_of(piece). The vocabulary must not be empty.
  [[nodiscard]] entry* find(std::string_view piece, std::uint64_t hash) const noexcept {
    const std::uint64_t key = key_of(piece, hash);
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      entry& it = entries_[at];
      if (it.size_ == 0) return nullptr;
      if (it.key_ != key || it.size_ != piece.size()) continue;
      if (piece.size() <= 8 || bytes_of(it.id()) == piece) return &it;
    }
  }
  [[nodiscard]] const byte_cuts& cuts() const noexcept { return cuts_; }
  /// Prefetches a slot. To be called some time before find().
  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&entries_[hash & mask_]); }

 private:
  static std::uint64_t key_of(std::string_view piece, std::uint64_t hash) noexcept {
    return piece.size() <= 8 ? load_bytes(piece.data(), piece.size()) : hash;
  }
  void put(std::string_view bytes, std::uint32_t id);

  std::string pool_;
  // offset of each token in pool_, by id, and the end of the last token
  std::vector<std::uint32_t> begins_;
  std::unique_ptr<entry[]> entries_;
  std::size_t mask_ = 0;
  byte_cuts cuts_;
};

/// A text to which the bytes of tokens are appended. [one thread]
class byte_text {
 public:
  /// Makes room for `size` bytes in total.
  explicit byte_text(std::size_t size) : bytes_(size + byte_vocabulary::padding, '\0') {}
  /// `token` must come from a byte_vocabulary.
  void add_padded(std::string_view token) noexcept {
    char* const to = bytes_.data() + size_;
    // A copy with a constant size needs only two instructions.
    if (token.size() <= byte_vocabulary::padding)
      std::memcpy(to, token.data(), byte_vocabulary::padding);
    else
      std::memcpy(to, token.data(), token.size());
    size_ += token.size();
  }
  void add(std::string_view text) noexcept {
    size_ += text.copy(bytes_.data() + size_, text.size());
  }
  /// Returns the text, in which invalid UTF-8 becomes U+FFFD.
  [[nodiscard]] std::string take() &&;

 private:
  std::string bytes_;
  std::size_t size_ = 0;
};

}  // namespace tokenizers::hf
