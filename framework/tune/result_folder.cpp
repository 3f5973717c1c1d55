#include "tune/result_folder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"

namespace inferbench::tune {

namespace {

namespace fs = std::filesystem;

// SHA-1 and SHA-256 as git writes them.
constexpr std::size_t short_commit = 40;
constexpr std::size_t long_commit = 64;

std::string minute_text(std::time_t now) {
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y_%m_%d_%H_%M", &local);
  return {text.data(), size};
}

bool is_commit(std::string_view text) {
  return (text.size() == short_commit || text.size() == long_commit) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

fs::path make_result_folder(const fs::path& base, std::time_t now) {
  std::error_code unknown;
  if (!fs::is_directory(base, unknown))
    throw base::error("there is no folder " + base.string(),
                      "name the folder above the vllm checkout, or any folder for the results",
                      {"--base"});
  const fs::path all = base / "auto-benchmark";
  experiment::create_folder(all);
  const std::string first = minute_text(now);
  fs::path out = all / first;
  for (int number = 2;; ++number) {
    std::error_code problem;
    if (fs::create_directory(out, problem)) return out;
    if (problem && !fs::exists(out))
      throw base::error("cannot create " + out.string() + ": " + problem.message(),
                        "choose another folder by --base");
    out = all / (first + "-" + std::to_string(number));
  }
}

std::string commit_below(const fs::path& base, const perf::tool_output& run_tool) {
  const fs::path checkout = base / "vllm";
  std::error_code ignored;
  if (!fs::is_directory(checkout, ignored)) return "unknown";
  const std::optional<std::string> text =
      run_tool({"git", "-C", checkout.string(), "rev-parse", "HEAD"});
  const std::string_view commit = text ? base::trim(*text) : std::string_view{};
  return is_commit(commit) ? std::string(commit) : "unknown";
}

}  // namespace inferbench::tune
