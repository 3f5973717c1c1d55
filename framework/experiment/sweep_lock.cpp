#include "experiment/sweep_lock.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::experiment {

namespace {

/// " (process 123)", or nothing if the file does not say it.
std::string holder_in(const base::fd& file) {
  std::array<char, 32> text{};
  const ssize_t got = ::pread(file.get(), text.data(), text.size(), 0);
  const auto id = base::parse_int(
      base::trim({text.data(), got > 0 ? static_cast<std::size_t>(got) : std::size_t{0}}));
  return id ? " (process " + std::to_string(*id) + ")" : std::string();
}

}  // namespace

sweep_lock::sweep_lock(const std::filesystem::path& file, const std::string& name_setting)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_) throw base::error("cannot open " + file.string() + ": " + std::strerror(errno));
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      throw base::error("cannot lock " + file.string() + ": " + std::strerror(errno),
                        "choose an output folder on a local disk");
    throw base::error(
        "another sweep" + holder_in(file_) + " works in " + file.parent_path().string(),
        "wait for its end, or choose another " + name_setting);
  }
  const std::string id = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file_.get(), 0) != 0 ||
      ::pwrite(file_.get(), id.data(), id.size(), 0) != static_cast<ssize_t>(id.size()))
    throw base::error("cannot write " + file.string() + ": " + std::strerror(errno));
}

}  // namespace inferbench::experiment
