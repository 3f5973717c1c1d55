#include "output_file.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

#include "common/unfinished/unfinished.hpp"

namespace reporters {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1U << 20U;
constexpr std::string_view temporary_begin = ".inferbench-";
constexpr std::string_view temporary_end = ".tmp";
constexpr mode_t permissions = 0666;  // the user's umask is subtracted

int open_file(const fs::path& path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, permissions);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// Returns `place`, or the target of the symbolic link at `place`, even if the target does not
// exist. Links in /proc to pipes are returned unchanged, because they do not lead to a name.
fs::path target_of(fs::path place) {
  std::error_code error;
  if (fs::exists(place, error)) {
    fs::path target = fs::is_symlink(place, error) ? fs::canonical(place, error) : place;
    return error ? place : target;
  }
  constexpr int most_links = 40;  // the same limit as in the kernel
  for (int i = 0; i < most_links && fs::is_symlink(place, error); ++i)
    place = place.parent_path() / fs::read_symlink(place, error);
  return place;
}

}  // namespace

output_file::output_file(const fs::path& place, mode how) : place_(target_of(place)) {
  struct stat about{};
  const bool exists = ::stat(place_.c_str(), &about) == 0;
  const bool regular = exists && S_ISREG(about.st_mode);
  if (how == mode::replace && (!exists || regular)) {
    open_temporary();
    return;
  }
  const int beyond = how == mode::append ? O_APPEND : 0;
  fd_ = open_file(place_, O_WRONLY | O_CREAT | beyond);
  if (fd_ < 0) fail("open");
  if (how == mode::append && (regular || !exists)) {
    size_before_ = exists ? about.st_size : 0;
    restorable_ = true;
  }
}

output_file::~output_file() {
  if (fd_ < 0) return;
  if (restorable_ && ::ftruncate(fd_, static_cast<off_t>(size_before_)) != 0) {
    // Nothing more can be done; the failure that caused this is already reported.
  }
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(fd_);
}

void output_file::open_temporary() {
  const fs::path folder = place_.has_parent_path() ? place_.parent_path() : fs::path(".");
  unfinished::remove_left(folder, [](std::string_view name) {
    return name.starts_with(temporary_begin) && name.ends_with(temporary_end);
  });
  // The name is short, because the result's own name may have the maximum length.
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = folder / (std::string(temporary_begin) + std::to_string(::getpid()) + "-" +
                           std::to_string(attempt) + std::string(temporary_end));
    fd_ = unfinished::create(temporary_);
    if (fd_ >= 0) return;
    if (errno != EEXIST) break;
  }
  fail("create a file beside");
}

void output_file::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void output_file::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t done = ::write(fd_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("write to");
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  buffer_.clear();
}

void output_file::commit() {
  flush();
  // Some file systems report only on close() that they are full, so a copy of the descriptor is
  // closed here. The file itself stays open, and therefore locked, until it has its final name.
  const int copy = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0 && errno != EINTR) fail("write to");
  if (!temporary_.empty() && ::rename(temporary_.c_str(), place_.c_str()) != 0) fail("replace");
  restorable_ = false;
  ::close(std::exchange(fd_, -1));
}

void output_file::fail(const char* what) const {
  const int reason = errno;
  throw ifb::failure{IFB_E_IO, std::string("cannot ") + what + " " + place_.string() + ": " +
                                   std::system_category().message(reason)};
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw ifb::failure{IFB_E_IO,
                       "cannot make the folder " + folder.string() + ": " + error.message()};
}

void require_place(const fs::path& place, output_file::mode how) {
  const fs::path file = target_of(place);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw ifb::failure{IFB_E_IO, "there is no folder " + folder.string() + " for the result"};
  struct stat about{};
  const bool exists = ::stat(file.c_str(), &about) == 0;
  if (exists && (how == output_file::mode::append || !S_ISREG(about.st_mode))) {
    if (::access(file.c_str(), W_OK) != 0)
      throw ifb::failure{IFB_E_IO, file.string() + " cannot be written to: " +
                                       std::system_category().message(errno)};
  } else if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw ifb::failure{IFB_E_IO, "the folder " + folder.string() + " cannot be written to: " +
                                     std::system_category().message(errno)};
  }
}

}  // namespace reporters
