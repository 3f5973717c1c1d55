// The progress service lent to plugins: how far a long preparation has come, as lines of
// the log. Short ones say nothing.
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

/// [any] thread.
class preparation {
 public:
  /// Both must outlive this.
  preparation(const base::clock& clock, base::log& log) : clock_(clock), log_(log) {}

  /// `what`: "downloading tokenizer.json"; `total` 0: unknown. A line each two seconds, the
  /// first when two have passed since `what` was heard of first, and one at the end of what
  /// had one.
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);

  /// The service table; its functions find this object as services.progress_state.
  [[nodiscard]] static const ifb_progress_service& service() noexcept;

 private:
  struct state {
    std::uint64_t said_ns = 0;  // when a line was written last, or when it began
    bool said = false;
  };

  const base::clock& clock_;
  base::log& log_;
  std::mutex mutex_;
  std::map<std::string, state, std::less<>> all_;
};

}  // namespace inferbench::services
