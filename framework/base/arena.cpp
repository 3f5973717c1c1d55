#include "base/arena.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

using inferbench::base::large_block;
using inferbench::base::large_block_bytes;
using inferbench::base::large_blocks;

namespace {

constexpr std::size_t alignment = 16;
constexpr std::size_t first_chunk = 4096;
constexpr std::size_t largest_kept = 65536;
constexpr std::size_t largest_chunk = std::size_t{1} << 20U;

}  // namespace

void* ifb_arena::alloc(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  bytes = (std::max<std::size_t>(bytes, 1) + alignment - 1) & ~(alignment - 1);
  if (bytes > limit_ - std::min(used_, limit_)) return nullptr;
  if (bytes >= large_block_bytes) return alloc_large(bytes);
  if (chunks_.empty() || chunks_.back().size - offset_ < bytes) {
    const std::size_t grown =
        chunks_.empty() ? first_chunk : std::min(chunks_.back().size * 2, largest_chunk);
    const std::size_t size = std::max(grown, bytes);
    try {
      // operator new[] aligns to 16 on every platform that we build for.
      static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= alignment);
      chunks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    offset_ = 0;
  }
  std::byte* out = chunks_.back().data.get() + offset_;
  std::memset(out, 0, bytes);
  offset_ += bytes;
  used_ += bytes;
  return out;
}

bool ifb_arena::owns(const void* address) const noexcept {
  const auto lies_in = [address](const void* first, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(first);
    const std::less<const std::byte*> before;
    const auto* const at = static_cast<const std::byte*>(address);
    return !before(at, begin) && before(at, begin + size);
  };
  return std::ranges::any_of(
             chunks_, [&](const chunk& each) { return lies_in(each.data.get(), each.size); }) ||
         std::ranges::any_of(
             large_, [&](const large_block& each) { return lies_in(each.data, each.size); });
}

// The next allocation continues in the current chunk.
void* ifb_arena::alloc_large(std::size_t bytes) noexcept {
  try {
    large_.push_back({});
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  large_block& made = large_.back() = large_blocks::of_process().take(bytes);
  if (made.data == nullptr) {
    large_.pop_back();
    return nullptr;
  }
  if (!made.zeroed) std::memset(made.data, 0, bytes);
  used_ += bytes;
  return made.data;
}

void ifb_arena::free_large() noexcept {
  for (const large_block& one : large_)
    large_blocks::of_process().give_back(one);
  large_.clear();
}

std::string_view ifb_arena::copy(std::string_view text) noexcept {
  if (text.empty()) return {};
  void* out = alloc(text.size());
  if (out == nullptr) return {};
  std::memcpy(out, text.data(), text.size());
  return {static_cast<const char*>(out), text.size()};
}

void ifb_arena::reset() noexcept {
  // The chunk to keep: the last chunk of at most 64 KiB, otherwise the first chunk.
  std::size_t kept = 0;
  for (std::size_t i = 1; i < chunks_.size(); ++i)
    if (chunks_[i].size <= largest_kept) kept = i;
  if (kept != 0) std::swap(chunks_[0], chunks_[kept]);
  if (chunks_.size() > 1) chunks_.erase(chunks_.begin() + 1, chunks_.end());
  free_large();
  offset_ = 0;
  used_ = 0;
}
