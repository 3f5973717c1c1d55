#include "run/journal_path.hpp"

#include <ctime>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"

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

std::optional<std::filesystem::path> journal_path(const config::plan& plan, const std::string& name,
                                                  const place_in_series& which) {
  if (plan.journal) {
    if (*plan.journal == "none") return std::nullopt;
    return numbered(*plan.journal, which);
  }
  if (!plan.save_result) return std::nullopt;
  const std::filesystem::path folder = plan.result_dir.empty() ? "." : plan.result_dir;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw base::error("cannot make the folder " + folder.string() + ": " + failed.message(),
                      "name another one with --result-dir");
  return folder / (name + ".journal");
}

}  // namespace inferbench::run
