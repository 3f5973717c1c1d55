// The requests of a run as the page draws them: kept small while the run goes on, and
// written as text at its end. A reporter owns one for each run; one thread at a time, as the
// host calls the reporter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "reporters/common/rows.hpp"

namespace reporters {

/// Limits between the three classes of intervals, in ms.
using thresholds = std::array<double, 2>;

/// "25,50" as two numbers. Throws ifb::failure on anything else.
[[nodiscard]] thresholds thresholds_of(std::string_view text);

class chart {
 public:
  /// `most`: segments of a page, which would be slow with more; above that neighbours share one.
  explicit chart(thresholds limits, std::size_t most = 2'000'000) : limits_(limits), most_(most) {}

  void add(const ifb_record& r);
  [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }

  using sink = std::function<void(std::string_view)>;
  /// The page, in pieces.
  void write(std::string_view title, const sink& out) const;

 private:
  struct request {
    std::uint64_t sequence = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t ttft_ns = 0;
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::size_t events = 0;  // after the first
    gaps itl;
  };

  void encode(const request& r, std::uint64_t zero, std::size_t share, std::string& out) const;
  /// The number of intervals that share a segment; 1: each has its own.
  [[nodiscard]] std::size_t share() const noexcept;

  thresholds limits_;
  std::size_t most_;
  std::size_t segments_ = 0;
  std::deque<request> requests_;
};

}  // namespace reporters
