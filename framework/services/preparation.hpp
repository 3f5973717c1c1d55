// The progress service for plugins: reports the progress of a long preparation as lines of the log.
// Short preparations get no lines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/log.hpp"

namespace inferbench::services {

/// Any thread may call all functions.
class preparation {
 public:
  /// `clock` and `log` must outlive this object.
  preparation(const base::clock& clock, base::log& log) : clock_(clock), log_(log) {}

  /// Reports progress. `what` is a text such as "downloading tokenizer.json". If `total` is 0, the
  /// total is unknown. Logs a line every two seconds, the first two seconds after the first report
  /// of `what`. Logs a line at the end if there was an earlier line.
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);

  /// The service table. Its functions find this object through services.progress_state.
  [[nodiscard]] static const ifb_progress_service& service() noexcept;

 private:
  struct state {
    std::uint64_t said_ns = 0;  // time of the latest line, or of the first report
    bool said = false;
  };

  const base::clock& clock_;
  base::log& log_;
  std::mutex mutex_;
  std::map<std::string, state, std::less<>> all_;
};

}  // namespace inferbench::services
