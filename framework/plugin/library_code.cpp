#include "plugin/library_code.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

#include <link.h>

namespace inferbench::plugin {

namespace {

// The address range of the code of a library. The handlers read the first `libraries` entries of
// `library_code`.
struct code {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* file = nullptr;  // path of the library; never freed
};
constexpr std::size_t most_libraries = 256;  // further libraries are not remembered
std::array<code, most_libraries> library_code{};
std::atomic<std::size_t> libraries = 0;

}  // namespace

const char* library_at(std::uintptr_t address) noexcept {
  const std::size_t count = libraries.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i)
    if (library_code[i].begin <= address && address < library_code[i].end)
      return library_code[i].file;
  return nullptr;
}

void remember_library(const void* address, const std::string& file) {
  const std::size_t next = libraries.load(std::memory_order_relaxed);
  if (next == most_libraries) return;
  // `begin` is first any address of the code; the callback sets `begin` and `end` to the whole
  // range.
  code found{reinterpret_cast<std::uintptr_t>(address), 0, nullptr};
  const auto look = [](dl_phdr_info* about, std::size_t, void* into) {
    code& out = *static_cast<code*>(into);
    for (std::size_t i = 0; i < about->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = about->dlpi_phdr[i];
      const std::uintptr_t begin = about->dlpi_addr + segment.p_vaddr;
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 ||
          out.begin - begin >= segment.p_memsz)
        continue;
      out.begin = begin;
      out.end = begin + segment.p_memsz;
      return 1;
    }
    return 0;
  };
  if (::dl_iterate_phdr(look, &found) == 0) return;
  found.file = ::strdup(file.c_str());
  library_code[next] = found;
  libraries.store(next + 1, std::memory_order_release);
}

}  // namespace inferbench::plugin
