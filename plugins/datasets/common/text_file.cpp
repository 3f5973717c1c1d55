#include "text_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

namespace files {

namespace {

// Closes the descriptor at the end of the block.
struct descriptor {
  int value;
  ~descriptor() {
    if (value >= 0) ::close(value);
  }
};

[[noreturn]] void refuse(const std::string& path, int reason) {
  throw ifb::failure(
      IFB_E_IO, "cannot read " + path + ": " + std::generic_category().message(reason), "path");
}

}  // namespace

text_file::text_file(std::string path) : path_(std::move(path)) {
  const descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat about{};
  if (file.value < 0 || ::fstat(file.value, &about) != 0) refuse(path_, errno);
  if (S_ISDIR(about.st_mode)) refuse(path_, EISDIR);
  if (S_ISREG(about.st_mode)) {
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size == 0) return;
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (memory == MAP_FAILED) refuse(path_, errno);
    mapped_ = memory;
    text_ = {static_cast<const char*>(memory), size};
    return;
  }
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(file.value, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path_, errno);
    if (got == 0) break;
    read_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  text_ = read_;
}

text_file::~text_file() {
  if (mapped_ != nullptr) ::munmap(mapped_, text_.size());
}

void text_file::release_pages() const noexcept {
  if (mapped_ != nullptr) ::madvise(mapped_, text_.size(), MADV_DONTNEED);
}

std::string text_file::place(std::size_t offset) const {
  const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return path_ + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace files
