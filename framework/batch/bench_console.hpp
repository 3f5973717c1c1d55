// The surroundings of an offline benchmark besides its engine: places for its texts, and the user's
// signals.
#pragma once

#include <atomic>
#include <functional>

#include "base/log.hpp"
#include "base/output.hpp"

namespace inferbench::batch {

/// Everything must outlive the benchmark.
struct bench_console {
  base::output& out;  // the lines of upstream
  base::log& log;
  /// Throws base::error if the user has stopped the program.
  std::function<void()> end_if_stopped;
  /// Shows that `done` of `all` iterations are finished; `label`: upstream's, "Bench iterations".
  std::function<void(const char* label, std::size_t done, std::size_t all)> progress;
  /// The requests go to a journal: their token times and texts are wanted.
  bool keeps_requests = false;
};

}  // namespace inferbench::batch
