#include "framework/client/heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include <gtest/gtest.h>
#include <malloc.h>

#include "support/sanitizer.hpp"

// A sanitizer has its own operator new.
#define INFERBENCH_COUNTS_ALLOCATIONS \
  (!INFERBENCH_ADDRESS_SANITIZER && !INFERBENCH_THREAD_SANITIZER)

namespace {
thread_local inferbench::client::testing::heap counted;
}

bool inferbench::client::testing::heap_is_counted() noexcept {
  return INFERBENCH_COUNTS_ALLOCATIONS;
}
inferbench::client::testing::heap inferbench::client::testing::heap_now() noexcept {
  return counted;
}
void inferbench::client::testing::reset_peak() noexcept { counted.peak = counted.live; }

#if INFERBENCH_COUNTS_ALLOCATIONS

TEST(heap, is_counted) {
  using namespace inferbench::client::testing;
  const heap before = heap_now();
  // The compiler must not know the size, or it would remove the allocation.
  auto numbers = std::make_unique<int[]>(1000 + before.allocations / SIZE_MAX);
  EXPECT_EQ(heap_now().allocations, before.allocations + 1);
  EXPECT_GE(heap_now().live, before.live + 4000);
  EXPECT_GE(heap_now().peak, heap_now().live);
  numbers.reset();
  EXPECT_EQ(heap_now().live, before.live);
}

namespace {

void give_back(void* memory) noexcept {
  counted.live -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  ++counted.allocations;
  counted.live += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  counted.peak = std::max(counted.peak, counted.live);
  return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }

#endif
