// The engine's profiler: a trace of the computed requests, in the JSON format of Chrome's tracing,
// which Perfetto shows, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference_answer.hpp"

namespace reference_engine {

/// Used by one thread.
class engine_profile {
 public:
  /// `file`: empty if there is no profiler.
  explicit engine_profile(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] bool exists() const noexcept { return !file_.empty(); }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

  /// Throws failure with IFB_E_UNSUPPORTED if there is no profiler.
  void require() const;
  /// Begins a profile over several batches. The next functions throw failure, too:
  /// IFB_E_CONFIG for calls in a wrong order, IFB_E_IO if the file cannot be
  /// written.
  void start();
  /// Writes the file, which replaces an earlier trace.
  void stop();
  /// Adds a batch to the profile that was started. `wanted`: the batch wants a profile; if none was
  /// started, the file gets this batch alone.
  void add(const reference_answer& answer, std::uint64_t began_ns, bool wanted);

 private:
  struct traced_request {
    std::uint64_t begin_ns, first_ns, end_ns;
    std::int64_t prompt_tokens, output_tokens;
    std::uint32_t number, slot;
    bool failed;
  };
  void write();

  std::string file_;
  bool started_ = false;
  std::vector<traced_request> requests_;
};

}  // namespace reference_engine
