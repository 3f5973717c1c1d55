// Traffic patterns: the rate of requests during a run. Does not use a clock. A pattern is a value
// type. Code outside this folder calls the functions below, which take any pattern, and does not
// depend on a particular pattern.
//
// `constant`, `at_once` and `ramp` are upstream's. `sine` and `steps` define the rate at time t.
// The number of requests that are due up to time t is the integral of the rate.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace inferbench::schedule {

/// The same rate during the whole run. All rates in this file are in requests per second.
struct constant {
  double rate = 1;  // > 0, finite
  bool operator==(const constant&) const = default;
};

/// An infinite rate: all requests are due when traffic begins.
struct at_once {
  bool operator==(const at_once&) const = default;
};

/// The rate grows with the requests, not with time. The progress of request i of N is p = i / max(N
/// - 1, 1).
struct ramp {
  // If true, the rate is start (end / start)^p; otherwise start + (end - start) p.
  bool exponential = false;
  double start = 1;  // > 0
  double end = 1;    // >= start
  bool operator==(const ramp&) const = default;
};

/// The rate at time t is mean + amplitude sin(2 pi t / period).
struct sine {
  double mean = 1;
  double amplitude = 0;        // at least 0 and below the mean, so that the rate stays above 0
  std::int64_t period_ns = 1;  // > 0
  bool operator==(const sine&) const = default;
};

struct step {
  std::int64_t from_ns = 0;
  double rate = 0;  // 0: no request is due until the next step
  bool operator==(const step&) const = default;
};

/// A rate for each stretch of time; the last rate has no end.
struct steps {
  std::vector<step> list;  // not empty; the first step begins at 0, times increase, the last rate
                           // is above 0
  bool operator==(const steps&) const = default;
};

using pattern = std::variant<at_once, constant, ramp, sine, steps>;

/// Returns at_once for an infinite rate, otherwise `constant`.
[[nodiscard]] pattern of_rate(double rate) noexcept;

/// Whether requests are due at different times; false for at_once.
[[nodiscard]] bool paced(const pattern& traffic) noexcept;
/// Whether the rate changes during the run.
[[nodiscard]] bool varies(const pattern& traffic) noexcept;
/// The rate of the whole run, as upstream reports it: infinite unless the pattern is constant.
[[nodiscard]] double whole_rate(const pattern& traffic) noexcept;
/// The rate of the first requests.
[[nodiscard]] double first_rate(const pattern& traffic) noexcept;

/// The number of requests that are due in the first `seconds` on average: the integral of the rate.
/// Infinite for at_once, and for a ramp, whose rates depend on the number of its requests.
[[nodiscard]] double requests_until(const pattern& traffic, double seconds) noexcept;

/// The lines that are printed before the first request, including line endings: upstream's lines
/// for upstream's patterns, and one line for another pattern.
[[nodiscard]] std::string start_lines(const pattern& traffic);

/// The text of a pattern that upstream does not have (pattern_text.hpp); empty for upstream's
/// patterns.
[[nodiscard]] std::string own_text(const pattern& traffic);

/// The rate of request `i` of `count`.
[[nodiscard]] double rate_at(const ramp& of, std::uint64_t i, std::uint64_t count) noexcept;

/// The rate `seconds` after traffic began. At the beginning of a step it is the rate of that step.
[[nodiscard]] double rate_at(const sine& of, double seconds) noexcept;
[[nodiscard]] double rate_at(const steps& of, double seconds) noexcept;

/// The time in seconds at which `requests` are due: the inverse of the integral of the rate.
/// `requests` is a real number. If a pause begins at this time, the result is the beginning of the
/// pause.
[[nodiscard]] double time_of(const sine& of, double requests);
[[nodiscard]] double time_of(const steps& of, double requests) noexcept;

}  // namespace inferbench::schedule
