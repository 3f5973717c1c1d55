// The progress service for plugins: logs the progress of a preparation, such as a download.
// A preparation of less than two seconds gets no lines.
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

/// Any thread may call all functions. Owned by the lender (lender.hpp).
class preparation {
 public:
  /// `clock` and `log` must outlive this object.
  preparation(const base::clock& clock, base::log& log) : clock_(clock), log_(log) {}

  /// Reports progress. `what` names the preparation, for example "downloading tokenizer.json".
  /// `done` and `total` have the same unit, which the caller chooses. If `total` is 0, the total is
  /// unknown, and the line has the number `done`; otherwise it has the percentage. The first report
  /// of `what` logs no line; a later report logs a line if the latest line, or the first report, is
  /// at least two seconds old. The report with done >= total, if the total is known, ends the
  /// preparation; it logs a line only if there was an earlier line.
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);

  /// The service table. Its function finds this object through plugin::services::progress_state,
  /// which the lender sets.
  [[nodiscard]] static const ifb_progress_service& service() noexcept;

 private:
  struct state {
    std::uint64_t said_ns = 0;  // time of the latest line, or of the first report (base::clock)
    bool said = false;          // a line was logged
  };

  const base::clock& clock_;
  base::log& log_;
  std::mutex mutex_;
  std::map<std::string, state, std::less<>> all_;  // protected by mutex_; the key is `what`
};

}  // namespace inferbench::services
