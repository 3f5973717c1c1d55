// The interface between the steps of a tuning (tuning.hpp) and the code that carries them out with
// processes (live_bench.hpp). Tests have a bench of their own, with known figures and no time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tune/result_text.hpp"

namespace inferbench::tune {

enum class server_purpose : std::uint8_t {
  memory_trial,  // does the server start with this share of the memory?
  measurement,
  profile
};

struct server_step {
  tuned_pair options;
  std::optional<int> memory = {};  // share of the memory in hundredths; nullopt: no such option
  server_purpose purpose = server_purpose::measurement;
};

struct benchmark_step {
  tuned_pair options;
  double rate = 0;           // infinite: all requests at once
  std::int64_t prompts = 0;  // requests
  bool profile = false;
};

/// The search for the largest rate by `inferbench find`.
struct search_step {
  tuned_pair options;
  double low = 0;  // requests/s; 0 < low < high
  double high = 0;
};

struct benchmark_end {
  std::optional<measured_load> figures;  // nullopt: there is no result
  std::string problem;                   // the reason then
};

struct search_end {
  std::optional<accepted_pair> found;  // nullopt: no rate was certified
  std::string problem;                 // not empty: the search has no verdict, for this reason
};

/// Every function blocks until its work is done, and throws experiment::stopped_sweep if the user
/// interrupts, and base::error if a file cannot be written.
class tuning_bench {
 public:
  tuning_bench() = default;
  tuning_bench(const tuning_bench&) = delete;
  tuning_bench& operator=(const tuning_bench&) = delete;
  virtual ~tuning_bench() = default;

  /// Starts the server and waits until it is ready. Returns an empty text, or the reason why there
  /// is no server. An earlier server is ended first.
  [[nodiscard]] virtual std::string start_server(const server_step& what) = 0;
  /// Does nothing without a server.
  virtual void stop_server() = 0;
  /// Empties the prefix cache of the server.
  virtual void reset_cache() = 0;
  virtual void pause(std::chrono::seconds time) = 0;
  /// A benchmark ends early, with a problem, if the server ends.
  [[nodiscard]] virtual benchmark_end benchmark(const benchmark_step& what) = 0;
  [[nodiscard]] virtual search_end search(const search_step& what) = 0;
  /// Adds a line to result.txt, at once.
  virtual void record(const std::string& line) = 0;
  /// A line for the user.
  virtual void say(const std::string& line) = 0;
};

}  // namespace inferbench::tune
