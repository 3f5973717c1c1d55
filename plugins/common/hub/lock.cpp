#include "lock.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

namespace hub {

namespace {

/// Returns whether `file` still names the locked file, and not a newer file.
bool still_there(int descriptor, const std::filesystem::path& file) {
  struct stat held{};
  struct stat named{};
  return ::fstat(descriptor, &held) == 0 && ::stat(file.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

file_lock::file_lock(ifb::host host, const std::filesystem::path& file) {
  // the error is ignored, because open() below fails with a better message
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  bool told = false;
  for (;;) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw ifb::failure(IFB_E_IO, "cannot write " + file.string() + ": " + std::strerror(errno) +
                                       "; set HF_HUB_CACHE to a folder that can be written");
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return;  // the file system does not support locks: continue without a lock
      if (!told)
        host.info("waiting for another process that fetches the same file: " + file.string());
      told = true;
      if (host.cancelled()) {
        ::close(descriptor_);
        throw ifb::failure(IFB_E_CANCELLED, "stopped while waiting for " + file.string());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    // Some releases of huggingface_hub remove the file when they release the lock.
    if (still_there(descriptor_, file)) return;
    ::close(descriptor_);
  }
}

file_lock::~file_lock() { ::close(descriptor_); }

}  // namespace hub
