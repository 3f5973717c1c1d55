#include "media_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/hub/names.hpp"
#include "unusable.hpp"

namespace row_media {

namespace fs = std::filesystem;

namespace {

class descriptor {
 public:
  explicit descriptor(int value) : value_(value) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  [[nodiscard]] int get() const noexcept { return value_; }

 private:
  int value_;
};

[[noreturn]] void unreadable(const std::string& path, const std::string& why) {
  throw unusable("cannot read " + shown(path) + ": " + why);
}
[[noreturn]] void unreadable(const std::string& path, int reason) {
  unreadable(path, std::generic_category().message(reason));
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::ranges::mismatch(folder, file);
  return end == folder.end() && rest != file.end();
}

// The folder of the blobs if `folder` is a snapshot in the cache of Hugging Face's libraries,
// REPOSITORY/snapshots/COMMIT; otherwise an empty path.
fs::path blobs_of(const fs::path& folder) {
  if (folder.parent_path().filename() != "snapshots") return {};
  return folder.parent_path().parent_path() / "blobs";
}

}  // namespace

media_folder::media_folder(const std::string& folder, bool closed)
    : folder_(fs::absolute(folder).lexically_normal().string()) {
  if (!closed) return;
  std::error_code wrong;
  const fs::path real = fs::canonical(folder_, wrong);
  inside_.push_back(wrong ? folder_ : real.string());
  if (const fs::path blobs = wrong ? fs::path{} : blobs_of(real); !blobs.empty())
    inside_.push_back(blobs.string());
}

media_folder media_folder::of_user(const std::string& folder) { return {folder, false}; }

media_folder media_folder::of_strangers(const std::string& folder) { return {folder, true}; }

std::string media_folder::resolved(std::string_view path) const {
  if (path.empty()) throw unusable("the path of the file is empty");
  if (path.find('\0') != path.npos)
    throw unusable("the path " + shown(path) + " contains a zero byte");
  if (!inside_.empty() && !hub::is_inside_path(path))
    throw unusable("the path " + shown(path) + " leads out of the data set's folder");
  // If the right side of `/` is an absolute path, it replaces the left side.
  const fs::path first = (fs::path(folder_) / path).lexically_normal();
  if (!inside_.empty() || fs::path(path).is_absolute()) return first.string();
  std::error_code wrong;
  if (fs::exists(first, wrong)) return first.string();
  const fs::path other = fs::absolute(path, wrong).lexically_normal();
  return !wrong && fs::exists(other, wrong) ? other.string() : first.string();
}

// Returns the path of the file itself, after all links.
std::string media_folder::real_path(const std::string& path) const {
  std::error_code wrong;
  const fs::path real = fs::canonical(path, wrong);
  if (wrong) unreadable(path, wrong.value());
  if (std::ranges::none_of(inside_, [&](const auto& each) { return is_inside(real, each); }))
    unreadable(path, "the link leads out of the data set's folder");
  return real.string();
}

std::string media_folder::read(const std::string& path) const {
  const bool closed = !inside_.empty();
  // O_NONBLOCK: without this flag, opening a pipe that has no writer would block. The flag does not
  // change how a regular file is read.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (closed ? O_NOFOLLOW : 0);
  const descriptor file(::open((closed ? real_path(path) : path).c_str(), flags));
  struct stat about{};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) unreadable(path, errno);
  if (S_ISDIR(about.st_mode)) unreadable(path, EISDIR);
  if (!S_ISREG(about.st_mode)) unreadable(path, "not a regular file");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size == 0) unreadable(path, "the file is empty");
  if (size > largest_file)
    unreadable(path, "the file has " + std::to_string(size) + " bytes, more than the " +
                         std::to_string(largest_file) + " that are read at most");
  std::string out(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < out.size()) {
    const ::ssize_t got = ::read(file.get(), out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  out.resize(done);
  return out;
}

}  // namespace row_media
