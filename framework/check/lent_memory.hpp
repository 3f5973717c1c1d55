// Memory that the kit lends to a plugin for the duration of a call. The memory can be on separate
// pages that become unreadable when the call returns. A plugin that uses a pointer after the call
// then crashes in its child process. Structs can have a tail that the plugin does not know. Used by
// one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

namespace inferbench::check {

struct lending {
  /// Each object is at the end of separate memory pages: reading beyond the end of the object
  /// crashes, and so does reading the object after give_back().
  bool pages = false;
  std::size_t tail = 0;       // bytes by which growing structs are longer than in this host's abi.h
  unsigned char filling = 0;  // value of each byte in the tail of an input
};

class lent_memory {
 public:
  explicit lent_memory(lending how = {}) : how_(how) {}
  lent_memory(const lent_memory&) = delete;
  lent_memory& operator=(const lent_memory&) = delete;
  ~lent_memory();

  [[nodiscard]] const lending& how() const noexcept { return how_; }

  /// Returns zeroed memory. If `pages` is set, the memory ends at the end of the readable pages, as
  /// closely as `alignment` allows. Throws std::bad_alloc.
  [[nodiscard]] void* take(std::size_t bytes, std::size_t alignment = 16);

  /// A copy of a growing struct, with a tail. For inputs; room() is for structs that a plugin
  /// fills.
  template <typename grown>
  [[nodiscard]] grown* put(const grown& value) {
    return put_array(std::span<const grown>(&value, 1));
  }
  /// Copies of growing structs, stride<grown>() bytes apart. nullptr for no elements.
  template <typename grown>
  [[nodiscard]] grown* put_array(std::span<const grown> values) {
    if (values.empty()) return nullptr;
    const std::size_t stride = this->stride<grown>();
    auto* const first = static_cast<std::byte*>(take(values.size() * stride, alignof(grown)));
    std::byte* at = first;
    for (const grown& value : values) {
      std::memcpy(at, &value, sizeof value);
      reinterpret_cast<grown*>(at)->struct_size = static_cast<std::uint32_t>(stride);
      std::memset(at + sizeof value, how_.filling, how_.tail);
      at += stride;
    }
    return reinterpret_cast<grown*>(first);
  }
  template <typename grown>
  [[nodiscard]] std::uint32_t stride() const noexcept {
    return static_cast<std::uint32_t>(sizeof(grown) + how_.tail);
  }
  /// A growing struct for the plugin to fill; its tail is zero.
  template <typename grown>
  [[nodiscard]] grown* room() {
    auto* const out = static_cast<grown*>(take(sizeof(grown) + how_.tail, alignof(grown)));
    out->struct_size = stride<grown>();
    return out;
  }
  /// Copies of frozen structs and numbers.
  template <typename plain>
  [[nodiscard]] plain* copy(std::span<const plain> values) {
    if (values.empty()) return nullptr;
    auto* const first = static_cast<plain*>(take(values.size_bytes(), alignof(plain)));
    std::uninitialized_copy(values.begin(), values.end(), first);
    return first;
  }
  [[nodiscard]] ifb_str text(std::string_view from) {
    if (from.empty()) return {};
    return {copy(std::span<const char>(from.data(), from.size())), from.size()};
  }
  [[nodiscard]] ifb_bytes bytes(std::string_view from) {
    const ifb_str lent = text(from);
    return {lent.data, lent.size};
  }
  [[nodiscard]] const char* name(const char* from) {
    return from == nullptr ? nullptr : copy(std::span<const char>(from, std::strlen(from) + 1));
  }

  /// Takes back the memory after a call. Memory that is not on separate pages stays valid until
  /// destruction. A plugin that uses a pointer too long then fails only in the test for this
  /// mistake, and reads no garbage in other tests.
  void give_back() noexcept;

 private:
  struct region {
    void* at;
    std::size_t bytes;
  };
  lending how_;
  std::vector<region> regions_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace inferbench::check
