// The bench of a real tuning: servers and benchmarks as processes, and files in a folder.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/sweep_console.hpp"
#include "tune/tune_request.hpp"
#include "tune/tuned_server.hpp"
#include "tune/tuning_bench.hpp"

namespace inferbench::tune {

/// Everything that is borrowed must outlive the bench.
struct live_setting {
  const tune_request& request;
  experiment::sweep_console& console;
  const std::atomic<bool>& stop;  // becomes true when the user interrupts
  std::filesystem::path results;  // the folder; it must be there
};

/// Used by one thread. No process is left when the object is destroyed.
class live_bench final : public tuning_bench {
 public:
  explicit live_bench(live_setting with) : with_(std::move(with)) {}

  [[nodiscard]] std::string start_server(const server_step& what) override;
  void stop_server() override;
  void reset_cache() override;
  void pause(std::chrono::seconds time) override;
  [[nodiscard]] benchmark_end benchmark(const benchmark_step& what) override;
  [[nodiscard]] search_end search(const search_step& what) override;
  void record(const std::string& line) override;
  void say(const std::string& line) override;

  /// result.txt in the folder.
  [[nodiscard]] std::filesystem::path result_file() const { return with_.results / "result.txt"; }

 private:
  /// The end of a command: an exit status, or -1 for a signal, and the last line of its output.
  struct ended_command {
    int status = 0;
    std::string last_line;
  };
  /// Runs a command whose output goes to the file. nullopt: `problem` says why it has no end of its
  /// own.
  [[nodiscard]] std::optional<ended_command> carried_out(const std::vector<std::string>& words,
                                                         const std::filesystem::path& log,
                                                         std::string& problem);
  [[nodiscard]] benchmark_end figures_of(const std::filesystem::path& result) const;
  /// "the benchmark ended with exit status 2: its last line; its output is in FILE"
  [[nodiscard]] static std::string status_problem(const char* what, const ended_command& end,
                                                  const std::filesystem::path& log);
  void warn_of_log(int problem, const std::filesystem::path& log);

  live_setting with_;
  std::optional<tuned_server> server_;
  std::filesystem::path server_log_;
  std::string recorded_;
  bool reset_warned_ = false;
};

}  // namespace inferbench::tune
