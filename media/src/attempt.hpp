// Calls of C libraries whose error function must not return: it jumps out of the library.
#pragma once

#include <csetjmp>
#include <type_traits>

namespace inferbench::media {

/// Calls `work`. Returns false if a library called by `work` has jumped to `back`. A jump runs no
/// destructor, so `work` must own nothing and must not throw.
template <typename job>
[[gnu::noinline]] bool attempt(std::jmp_buf& back, job work) noexcept {
  static_assert(std::is_trivially_destructible_v<job>);
  if (setjmp(back) != 0) return false;
  work();
  return true;
}

}  // namespace inferbench::media
