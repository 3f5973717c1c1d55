// The data of the requests that the page draws. They are stored in little memory during the run,
// and written as text at its end. A reporter owns one chart per run. One thread at a time, like the
// host's calls of the reporter.
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

/// The limits between the three classes of intervals, in ms.
using thresholds = std::array<double, 2>;

/// Parses a text such as "25,50" into two numbers. Throws ifb::failure for any other text.
[[nodiscard]] thresholds thresholds_of(std::string_view text);

class chart {
 public:
  /// `most`: the maximum number of segments of a page; a page with more would be slow. If there are
  /// more intervals, neighbouring intervals share a segment.
  explicit chart(thresholds limits, std::size_t most = 2'000'000) : limits_(limits), most_(most) {}

  void add(const ifb_record& r);
  [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }

  using sink = std::function<void(std::string_view)>;
  /// Writes the page: calls `out` with one piece after another.
  void write(std::string_view title, const sink& out) const;

 private:
  struct request {
    std::uint64_t sequence = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t ttft_ns = 0;
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::size_t events = 0;  // number of events after the first event
    gaps itl;
  };

  void encode(const request& r, std::uint64_t zero, std::size_t share, std::string& out) const;
  /// Returns the number of intervals that share a segment; 1: each interval has its own segment.
  [[nodiscard]] std::size_t share() const noexcept;

  thresholds limits_;
  std::size_t most_;
  std::size_t segments_ = 0;
  std::deque<request> requests_;
};

}  // namespace reporters
