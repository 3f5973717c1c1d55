#include "run/journal_path.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace inferbench::run {

std::string numbered(const std::string& path, const place_in_series& which) {
  if (which.of <= 1 || path.empty()) return path;
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}-run{}{}", whole.stem().string(), which.number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

std::string run_name(std::int64_t unix_ns, const place_in_series& which) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  const std::string base = fmt::format("inferbench-{:04}{:02}{:02}-{:02}{:02}{:02}-{}",
                                       local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                                       local.tm_hour, local.tm_min, local.tm_sec, ::getpid());
  return which.of > 1 ? fmt::format("{}-run{}", base, which.number) : base;
}

std::filesystem::path make_new_file(const std::filesystem::path& folder, std::string& name,
                                    const std::string& ending) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw base::error("cannot make the folder " + folder.string() + ": " + failed.message(),
                      "name another one with --result-dir");
  const std::string first = name;
  for (int n = 2;; ++n) {
    std::filesystem::path file = folder / (name + ending);
    const base::fd descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (descriptor) return file;
    if (errno != EEXIST)
      throw base::error("cannot create " + file.string() + ": " + std::strerror(errno),
                        "name another folder with --result-dir");
    name = fmt::format("{}-{}", first, n);
  }
}

journal_place::journal_place(const config::result_files& files, std::string name,
                             const place_in_series& which)
    : name_(std::move(name)) {
  if (files.journal) {
    if (*files.journal != "none") path_ = numbered(*files.journal, which);
    return;
  }
  if (!files.saved) return;
  path_ = make_new_file(files.folder.empty() ? "." : files.folder, name_, ".journal");
  made_ = true;
}

journal_place::~journal_place() {
  std::error_code none;
  if (made_ && std::filesystem::file_size(*path_, none) == 0 && !none)
    std::filesystem::remove(*path_, none);
}

}  // namespace inferbench::run
