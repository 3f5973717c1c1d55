#include "tune/log_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::tune {

namespace {

base::fd opened(const std::filesystem::path& file) {
  base::fd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!out) throw base::error("cannot write " + file.string() + ": " + std::strerror(errno));
  return out;
}

}  // namespace

log_file::log_file(const std::filesystem::path& file) : file_(opened(file)) {}

void log_file::write(std::string_view text) noexcept {
  while (!text.empty() && problem_ == 0) {
    const ssize_t wrote = ::write(file_.get(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0)
      problem_ = errno;
    else
      text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace inferbench::tune
