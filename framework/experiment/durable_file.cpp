#include "experiment/durable_file.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace inferbench::experiment {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& what, int reason) {
  throw base::error("cannot write " + what.string() + ": " + std::strerror(reason),
                    reason == ENAMETOOLONG
                        ? "give the combinations short names with _benchmark_name"
                        : "check the folder and the free space of its disk");
}

void write_all(const base::fd& to, std::string_view text, const fs::path& file) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(to.get(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) cannot_write(file, errno);
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

// Some file systems cannot store the names of a folder separately and return EINVAL.
void store_names(const fs::path& folder) {
  const base::fd open(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open || (::fsync(open.get()) != 0 && errno != EINVAL)) cannot_write(folder, errno);
}

}  // namespace

void create_folder(const fs::path& folder) {
  std::error_code problem;
  if (folder.empty() || fs::is_directory(folder, problem)) return;
  create_folder(folder.parent_path());
  fs::create_directory(folder, problem);
  std::error_code ignored;
  if (problem && !fs::is_directory(folder, ignored)) {
    if (problem.value() == EEXIST || problem.value() == ENOTDIR)
      throw base::error(folder.string() + " is not a folder", "choose another folder");
    cannot_write(folder, problem.value());
  }
  store_names(folder.parent_path());
}

void write_durably(const fs::path& file, std::string_view text) {
  std::error_code unknown;
  if (const fs::file_status now = fs::status(file, unknown);
      fs::exists(now) && !fs::is_regular_file(now)) {
    const base::fd to(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (!to) cannot_write(file, errno);
    write_all(to, text, file);
    return;
  }
  const fs::path beside = file.parent_path() / ("." + file.filename().string() + ".new");
  {
    const base::fd to(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!to) cannot_write(file, errno);
    write_all(to, text, file);
    if (::fsync(to.get()) != 0) cannot_write(file, errno);
  }
  if (::rename(beside.c_str(), file.c_str()) != 0) cannot_write(file, errno);
  store_names(file.parent_path());
}

}  // namespace inferbench::experiment
