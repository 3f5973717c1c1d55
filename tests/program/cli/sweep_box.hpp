// A sweep of the real program in a temporary folder. Its servers are simulators, its benchmark is a
// script whose result depends only on its flags and the number of the run.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "program/cli/marked_processes.hpp"
#include "program/cli/process.hpp"
#include "support/own_host.hpp"

namespace inferbench::testing {

class sweep_box {
 public:
  /// The arguments of a sweep of two servers with two runs each.
  [[nodiscard]] std::vector<std::string> arguments(
      const std::string& experiment, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> out{
        "sweep",
        "serve",
        "--serve-cmd",
        in_quotes(INFERBENCH_BINARY) + " simulate --host " + support::own_host() + " --port 20080",
        "--serve-params",
        servers_,
        "--bench-cmd",
        bench,
        "--after-bench-cmd",
        "true",
        "--num-runs",
        "2",
        "--output-dir",
        where.path("results"),
        "--experiment-name",
        experiment};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  /// Starts a process whose descendants processes_left() can find.
  [[nodiscard]] std::vector<std::string> through() const { return {"env", mark()}; }

  [[nodiscard]] std::filesystem::path experiment(const std::string& name) const {
    return where.root / "results" / name;
  }

  /// The paths and texts of all files of an experiment, without those for its own use.
  [[nodiscard]] std::map<std::string, std::string> results(const std::string& name) const {
    std::map<std::string, std::string> out;
    for (const auto& each : std::filesystem::recursive_directory_iterator(experiment(name)))
      if (const std::string path = each.path().lexically_relative(experiment(name)).string();
          each.is_regular_file() && !path.starts_with("."))
        out[path] = read(each.path().string());
    return out;
  }

  /// The ids of the processes that descend from a process which was started with through().
  [[nodiscard]] std::vector<std::string> processes_left() const { return processes_with(mark()); }

  /// The supervisor needs a moment to end what it supervises.
  void await_no_process() const { await_no_process_with(mark()); }

  static std::string in_quotes(const std::string& word) { return "'" + word + "'"; }

  const folder where;
  std::string bench = "sh " + in_quotes(fixture("experiment/bench.sh"));

 private:
  [[nodiscard]] std::string mark() const { return "INFERBENCH_TEST_OF_SWEEP=" + where.path(); }

  std::string servers_ = where.write("servers.json", R"({"a": {"seed": 1}, "b": {"seed": 2}})");
};

}  // namespace inferbench::testing
