#include "framework/transport/allocations.hpp"

#include <cstdlib>
#include <memory>
#include <new>

#include <gtest/gtest.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define INFERBENCH_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define INFERBENCH_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef INFERBENCH_COUNTS_ALLOCATIONS
#define INFERBENCH_COUNTS_ALLOCATIONS 1
#endif

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
