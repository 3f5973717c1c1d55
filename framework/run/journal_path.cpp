#include "run/journal_path.hpp"

#include <ctime>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::run {

std::string run_name(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("inferbench-{:04}{:02}{:02}-{:02}{:02}{:02}-{}", local.tm_year + 1900,
                     local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                     ::getpid());
}

std::optional<std::filesystem::path> journal_path(const config::plan& plan,
                                                  const std::string& name) {
  if (plan.journal) {
    if (*plan.journal == "none") return std::nullopt;
    return *plan.journal;
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
