#include "file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace figures {
namespace {

/// Removes the temporary file, unless it has got its name.
class temporary_file {
 public:
  explicit temporary_file(const std::string& file) : file_(file), name_(file + ".XXXXXX") {
    handle_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (handle_ < 0) fail();
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    if (handle_ >= 0) ::close(handle_);
    if (!named_) ::unlink(name_.c_str());
  }

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(handle_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void give_name() {
    // mkostemp() lets nobody else read the file; a picture has the usual rights.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(handle_, 0666 & ~mask) != 0 || ::fsync(handle_) != 0) fail();
    if (::rename(name_.c_str(), file_.c_str()) != 0) fail();
    named_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot write " + file_ + ": " + std::strerror(errno));
  }

  std::string file_, name_;
  int handle_ = -1;
  bool named_ = false;
};

}  // namespace

void replace_file(const std::string& file, std::string_view content) {
  temporary_file out(file);
  out.write(content);
  out.give_name();
}

}  // namespace figures
