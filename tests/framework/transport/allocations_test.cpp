#include "framework/transport/allocations.hpp"

#include <cstdlib>
#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "support/sanitizer.hpp"

// A sanitizer has its own operator new.
#define INFERBENCH_COUNTS_ALLOCATIONS \
  (!INFERBENCH_ADDRESS_SANITIZER && !INFERBENCH_THREAD_SANITIZER)

namespace {
thread_local std::size_t count = 0;
}

std::size_t inferbench::transport::test::allocations() noexcept { return count; }

#if INFERBENCH_COUNTS_ALLOCATIONS

TEST(allocations, are_counted) {
  const auto before = inferbench::transport::test::allocations();
  const auto number = std::make_unique<int>(before == 0 ? 1 : 2);
  EXPECT_EQ(inferbench::transport::test::allocations(), before + 1) << *number;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

#endif
