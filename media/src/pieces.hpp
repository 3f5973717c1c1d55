// A file that an encoder writes into memory, without knowing its length in advance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace inferbench::media {

/// Memory in pieces of equal size, so that its growth copies nothing. [one thread]
class pieces {
 public:
  pieces() = default;
  pieces(const pieces&) = delete;
  pieces& operator=(const pieces&) = delete;
  // A loop, because a chain that destroys itself needs a frame of the stack for each piece.
  ~pieces() {
    while (first_ != nullptr)
      first_ = std::move(first_->next);
  }

  /// Returns memory for the next bytes of the file; it is filled before the next call. Returns an
  /// empty span if memory is short: C libraries call this function, so it does not throw.
  [[nodiscard]] std::span<std::uint8_t> more() noexcept {
    std::unique_ptr<piece> made(new (std::nothrow) piece);
    if (made == nullptr) return {};
    piece* const at = made.get();
    (last_ == nullptr ? first_ : last_->next) = std::move(made);
    last_ = at;
    ++count_;
    return at->bytes;
  }

  /// Returns the file, whose last piece has `unused` bytes at its end. Throws std::bad_alloc.
  [[nodiscard]] std::string joined(std::size_t unused) const {
    std::string out;
    std::size_t left = count_ * size - unused;
    out.reserve(left);
    for (const piece* at = first_.get(); at != nullptr; at = at->next.get()) {
      const std::size_t bytes = left < size ? left : size;
      out.append(reinterpret_cast<const char*>(at->bytes.data()), bytes);
      left -= bytes;
    }
    return out;
  }

 private:
  static constexpr std::size_t size = 64 * 1024 - 64;  // of a piece, with its heap block
  struct piece {
    std::unique_ptr<piece> next;
    std::array<std::uint8_t, size> bytes;  // not initialised
  };
  std::unique_ptr<piece> first_;
  piece* last_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace inferbench::media
