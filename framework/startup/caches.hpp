// New, empty cache folders for a cold start.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace inferbench::startup {

/// The variables that name the caches of compiled code of common engines. $HF_HOME is not among
/// them: the weights of the model would be downloaded again.
[[nodiscard]] std::vector<std::string> usual_cache_variables();

/// The usual variables and `more`, each once. Throws base::error with the position --cold-env for a
/// text that is no name of an environment variable (letters, digits and "_", no digit in front).
[[nodiscard]] std::vector<std::string> cold_variables(std::span<const std::string> more);

/// One folder for each variable, all below a new folder whose name begins with
/// vllm_startup_bench_cold_. Only the process that gets environment() sees them; the variables of
/// this process do not change. One thread at a time.
class cold_caches {
 public:
  /// Makes the folders below `below`; empty: below the folder for temporary files. Throws
  /// base::error if they cannot be made.
  explicit cold_caches(std::span<const std::string> variables,
                       const std::filesystem::path& below = {});
  cold_caches(const cold_caches&) = delete;
  cold_caches& operator=(const cold_caches&) = delete;
  /// Calls remove().
  ~cold_caches();

  /// NAME=folder for each variable.
  [[nodiscard]] std::vector<std::string> environment() const;
  /// The variables whose folders contain something: the started program has used these caches.
  [[nodiscard]] std::vector<std::string> used() const;
  /// Removes all folders with their contents. Returns the reason if something is left, such as
  /// files of another user; otherwise an empty text.
  std::string remove() noexcept;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return root_; }

 private:
  std::filesystem::path root_;  // empty after remove()
  std::vector<std::string> variables_;
};

}  // namespace inferbench::startup
