// ifb::arena: memory that the host frees as a whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inferbench/abi.h>

namespace ifb {

/// Memory of the host. The host frees the arena as a whole and does not run destructors. It may be
/// used in the calls of the handle for which it was received, so by one thread at a time. All
/// functions throw std::bad_alloc if the arena is exhausted.
class arena {
 public:
  arena(const ifb_host* host, ifb_arena* handle) noexcept : host_(host), handle_(handle) {}

  /// Returns memory that is zeroed and 16-byte aligned.
  [[nodiscard]] void* allocate(std::size_t bytes) const {
    void* memory = host_->alloc(host_, handle_, bytes);
    if (memory == nullptr) throw std::bad_alloc{};
    return memory;
  }

  [[nodiscard]] std::string_view copy(std::string_view text) const {
    if (text.empty()) return {};
    auto* to = static_cast<char*>(allocate(text.size()));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  template <typename object, typename... arguments>
  object* make(arguments&&... values) const {
    static_assert(std::is_trivially_destructible_v<object>, "an arena runs no destructors");
    static_assert(alignof(object) <= 16, "an arena aligns to 16 bytes");
    return ::new (allocate(sizeof(object))) object{std::forward<arguments>(values)...};
  }

  /// Returns `count` value-initialised elements.
  template <typename element>
  [[nodiscard]] std::span<element> array(std::size_t count) const {
    static_assert(std::is_trivially_destructible_v<element>, "an arena runs no destructors");
    static_assert(alignof(element) <= 16, "an arena aligns to 16 bytes");
    if (count == 0) return {};
    if (count > SIZE_MAX / sizeof(element)) throw std::bad_array_new_length{};
    auto* first = static_cast<element*>(allocate(count * sizeof(element)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  template <typename element>
  [[nodiscard]] std::span<element> copy(std::span<const element> from) const {
    static_assert(std::is_trivially_copyable_v<element>);
    if (from.empty()) return {};
    if (from.size() > SIZE_MAX / sizeof(element)) throw std::bad_array_new_length{};
    auto* first = static_cast<element*>(allocate(from.size_bytes()));
    std::uninitialized_copy_n(from.data(), from.size(), first);
    return {first, from.size()};
  }

  [[nodiscard]] ifb_arena* handle() const noexcept { return handle_; }

 private:
  const ifb_host* host_;
  ifb_arena* handle_;
};

}  // namespace ifb
