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

/// [any thread]
class preparation {
 public:
  /// Both must outlive this object.
  preparation(const base::clock& clock, base::log& log) : clock_(clock), log_(log) {}

  /// `what`: "downloading tokenizer.json"; `total` 0: unknown. A line every two seconds, the first
  /// two seconds after the first report of `what`, and one at the end if there was a line before.
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);

  /// The service table; its functions find this object as services.progress_state.
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
