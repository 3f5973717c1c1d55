// The times at which the requests of a run are due. If the number of requests is known, all times
// are computed before the run (pacer.hpp). Otherwise the run ends at a time, and each time is
// computed when it is needed; these times have no end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "schedule/gaps.hpp"
#include "schedule/pacer.hpp"

namespace inferbench::schedule {

/// Immutable; any thread. Several runs may use one object.
class timetable {
 public:
  /// No times: the samples of the dataset have times of their own.
  timetable() = default;

  /// The times of all requests in ns from the beginning of the traffic, ascending.
  timetable(std::vector<std::uint64_t> due) : due_(std::move(due)) {}

  /// The times of any number of requests. Unlike in due_times(), the intervals of `constant` are
  /// not stretched. Throws base::error for a ramp, whose rates depend on the number of requests.
  [[nodiscard]] static timetable without_end(const pace& of);

  /// Whether the samples have times of their own.
  [[nodiscard]] bool empty() const noexcept { return due_.empty() && !endless_; }
  /// The pace of a table without an end; nullopt for all other tables.
  [[nodiscard]] const std::optional<pace>& endless() const noexcept { return endless_; }
  /// All times; empty if the table has no end.
  [[nodiscard]] std::span<const std::uint64_t> times() const noexcept { return due_; }

  /// The number of requests that are due when traffic begins. SIZE_MAX: all of a table without an
  /// end.
  [[nodiscard]] std::size_t at_start() const noexcept;

  /// The number of requests that are due before `end_ns`. 0 if the table has no end and all its
  /// requests are due at the start. Computes the times of a table without an end again.
  [[nodiscard]] std::uint64_t due_before(std::uint64_t end_ns) const;

 private:
  std::vector<std::uint64_t> due_;
  std::optional<pace> endless_;
};

/// Reads a timetable once, in order. If the table has no end, one thread at a time may use this
/// object; otherwise any thread.
class timetable_walk {
 public:
  /// `of` must outlive this object.
  explicit timetable_walk(const timetable& of);

  /// Whether there is no request `n`.
  [[nodiscard]] bool over(std::uint64_t n) const noexcept {
    return !drawn_ && n >= of_.times().size();
  }

  /// The time at which request `n` is due, in ns from the beginning of the traffic. UINT64_MAX:
  /// later than any run can last. If the table has no end, `n` must be the number of the previous
  /// call, or greater. The table must not be empty, and over(n) must be false.
  [[nodiscard]] std::uint64_t at(std::uint64_t n);

 private:
  /// The times of a table without an end.
  struct drawing {
    pattern traffic;
    gaps between;
    double sum = 0;               // the sum of the gaps so far
    double last = 0;              // the latest time in seconds
    std::uint64_t count = 0;      // the number of times so far
    std::uint64_t latest_ns = 0;  // the time of request count - 1

    void next();
  };

  const timetable& of_;
  std::optional<drawing> drawn_;
};

}  // namespace inferbench::schedule
