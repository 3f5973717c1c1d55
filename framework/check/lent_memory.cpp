#include "check/lent_memory.hpp"

#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace inferbench::check {

lent_memory::~lent_memory() { give_back(); }

void* lent_memory::take(std::size_t bytes, std::size_t alignment) {
  bytes = std::max<std::size_t>(bytes, 1);
  if (!how_.pages) {
    // A block of exactly the requested size, so that a sanitizer notices an access beyond it.
    blocks_.push_back(std::make_unique<std::byte[]>(bytes));
    return blocks_.back().get();
  }
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t readable = (bytes + page - 1) / page * page;
  void* const memory =
      ::mmap(nullptr, readable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(memory);
  if (::mprotect(first + readable, page, PROT_NONE) != 0) {
    ::munmap(memory, readable + page);
    throw std::bad_alloc();
  }
  regions_.push_back({memory, readable});
  return first + (readable - bytes) / alignment * alignment;
}

void lent_memory::give_back() noexcept {
  // The pages are not unmapped: if another object got the same address, an access to the old object
  // would not crash.
  for (const region& r : regions_) {
    ::madvise(r.at, r.bytes, MADV_DONTNEED);
    ::mprotect(r.at, r.bytes, PROT_NONE);
  }
  regions_.clear();
}

}  // namespace inferbench::check
