// The memory of one rendering's objects: reference-counted, limited, and freed at the end of the
// rendering, including cycles.
#pragma once

#include <memory>

#include "objects.hpp"

namespace jinja {

/// May be used by only one thread at a time.
class heap {
 public:
  explicit heap(std::size_t limit) noexcept : limit_(limit) {}
  heap(const heap&) = delete;
  heap& operator=(const heap&) = delete;
  ~heap();

  /// `bytes` is the memory that the object owns in addition to itself. Throws MemoryError at the
  /// limit.
  template <typename T, typename... Args>
  T* make(std::size_t bytes, Args&&... args) {
    reserve(bytes + sizeof(T));
    auto made = std::make_unique<T>(std::forward<Args>(args)...);
    adopt(*made, bytes + sizeof(T));
    return made.release();
  }

 private:
  friend void bury(object* dead) noexcept;
  void reserve(std::size_t bytes) const;
  void adopt(object& made, std::size_t bytes) noexcept;
  void forget(object& dead) noexcept;
  void remove(object* dead) noexcept;

  std::size_t limit_;
  std::size_t held_ = 0;
  object* all_ = nullptr;
  // Objects without references. They are deleted in a loop, so that a chain of them causes no
  // recursion.
  object* dying_ = nullptr;
  bool burying_ = false;
};

}  // namespace jinja
