// The most that happened at once: upstream's two peaks in seconds, and the exact one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inferbench::metrics {

/// A time in which something was there, ns; begin <= end.
struct span {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Counts events by whole seconds after `origin`. Memory grows with the seconds that
/// have events, not with the length of the run.
class second_counts {
 public:
  explicit second_counts(std::uint64_t origin) : origin_(origin) {}

  /// `at` before the origin counts in the first second.
  void add(std::uint64_t at);
  [[nodiscard]] std::uint64_t most();

 private:
  void flush();

  std::uint64_t origin_;
  std::uint64_t second_ = 0;   // neighbouring events share their second mostly,
  std::uint64_t pending_ = 0;  // so the table is touched once for each run of them
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

/// Upstream's `max_concurrent_requests`: each span counts in every second after
/// `origin` that it touches, first and last included.
[[nodiscard]] std::uint64_t most_in_one_second(const std::vector<span>& spans,
                                               std::uint64_t origin);

struct peak {
  std::uint64_t count = 0;
  std::uint64_t at = 0;  // when it was reached first
};

/// Most spans at one instant; ends come before starts of the same instant, and an
/// empty span is there for its instant.
[[nodiscard]] peak most_at_once(const std::vector<span>& spans);

}  // namespace inferbench::metrics
