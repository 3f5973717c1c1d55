#include "report_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

namespace reporters {

namespace fs = std::filesystem;

fs::path report_path(const ifb::path& file, output_file::mode how) {
  if (file.empty()) throw ifb::failure{IFB_E_CONFIG, "the path is empty; name a file", "file"};
  std::error_code unknown;
  if (fs::is_directory(file.text, unknown))
    throw ifb::failure{IFB_E_CONFIG, file.text + " is a folder; name a file", "file"};
  try {
    require_place(file.text, how);
  } catch (const ifb::failure& why) {
    throw ifb::failure{why.code(), why.message(), "file"};
  }
  return file.text;
}

growing_file::growing_file(const fs::path& place) : place_(place) {
  do {
    fd_ = ::open(place_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) fail("open");
}

growing_file::~growing_file() {
  if (fd_ >= 0) ::close(fd_);
}

void growing_file::write(std::string_view lines) {
  std::string_view rest = lines;
  while (!rest.empty()) {
    const ssize_t done = ::write(fd_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      const int reason = errno;
      struct stat about{};
      if (::fstat(fd_, &about) == 0 && S_ISREG(about.st_mode) && ::ftruncate(fd_, written_) != 0) {
        // Nothing more can be done: the last line is incomplete.
      }
      errno = reason;
      fail("write to");
    }
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  written_ += static_cast<long long>(lines.size());
}

void growing_file::close() {
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) fail("write to");
}

void growing_file::fail(const char* what) const {
  const int reason = errno;
  throw ifb::failure{IFB_E_IO, std::string("cannot ") + what + " " + place_.string() + ": " +
                                   std::system_category().message(reason)};
}

}  // namespace reporters
