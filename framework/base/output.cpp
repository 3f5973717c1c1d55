#include "base/output.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace inferbench::base {

void output::write(std::string_view text) noexcept {
  if (failed() || text.empty()) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), to_) != text.size()) fail();
}

void output::flush() noexcept {
  if (failed()) return;
  errno = 0;
  // A failed write by other code is visible only in the stream's state.
  if (std::fflush(to_) != 0 || std::ferror(to_) != 0) fail();
}

void output::finish() noexcept {
  flush();
  if (failed()) return;
  const int copy = ::fcntl(::fileno(to_), F_DUPFD_CLOEXEC, 0);
  errno = 0;
  if (copy >= 0 && ::close(copy) != 0 && errno != EINTR) fail();
}

void output::fail() noexcept {
  int none = 0;
  reason_.compare_exchange_strong(none, errno != 0 ? errno : EIO);
}

void occupy_closed_streams() noexcept {
  constexpr std::pair<int, int> streams[] = {
      {STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_RDONLY}};
  // open() returns the lowest free number. This is the number of the stream, because all streams
  // with lower numbers are open.
  for (const auto& [number, wrong_way] : streams)
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", wrong_way));
}

}  // namespace inferbench::base
