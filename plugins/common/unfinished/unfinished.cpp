#include "unfinished.hpp"

#include <cerrno>
#include <ctime>
#include <exception>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace unfinished {

namespace {

namespace fs = std::filesystem;

constexpr mode_t permissions = 0666;  // the user's umask is subtracted
constexpr std::time_t long_ago_s = std::time_t{24} * 60 * 60;

int open_file(const fs::path& file, int flags) noexcept {
  int descriptor = -1;
  do {
    descriptor = ::open(file.c_str(), flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, permissions);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Calls flock() again if a signal interrupts it.
bool lock(int descriptor, int how) noexcept {
  int done = 0;
  do {
    done = ::flock(descriptor, how);
  } while (done != 0 && errno == EINTR);
  return done == 0;
}

/// Returns whether the name still leads to this file.
bool still_there(int descriptor, const fs::path& file, struct stat& held) noexcept {
  struct stat named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

void remove_if_left(const fs::path& file) noexcept {
  const int descriptor = open_file(file, O_NONBLOCK);
  if (descriptor < 0) return;
  const bool locked = lock(descriptor, LOCK_EX | LOCK_NB);
  const bool no_locks = !locked && errno != EWOULDBLOCK;
  struct stat about{};
  if ((locked || no_locks) && still_there(descriptor, file, about) && S_ISREG(about.st_mode) &&
      (locked || about.st_mtime < std::time(nullptr) - long_ago_s))
    ::unlink(file.c_str());
  ::close(descriptor);
}

}  // namespace

int create(const fs::path& file) noexcept {
  for (;;) {
    const int descriptor = open_file(file, O_CREAT | O_EXCL);
    if (descriptor < 0) return -1;
    // Only a process that checks for abandoned files can hold the lock, and only briefly.
    if (!lock(descriptor, LOCK_EX))
      return descriptor;  // a file system without locks: continue without a lock
    struct stat about{};
    if (still_there(descriptor, file, about)) return descriptor;
    ::close(descriptor);
  }
}

void remove_left(const fs::path& folder, bool (*is_one)(std::string_view name)) noexcept {
  try {
    std::error_code none;
    for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none))
      if (is_one(at->path().filename().native())) remove_if_left(at->path());
  } catch (const std::exception&) {
    // Out of memory: the next call removes the files.
  }
}

}  // namespace unfinished
