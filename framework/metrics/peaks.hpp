// Peaks: upstream's two peaks, counted by whole seconds, and the exact peak.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/clock.hpp"

namespace inferbench::metrics {

/// The time in which a request was in flight, in ns of the host clock; begin <= end.
struct span {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A number for each whole second after `origin`; integers are exact up to 2^53. Each second that
/// has a number costs about ten bytes. A jump of the clock costs nothing.
class second_table {
 public:
  explicit second_table(std::uint64_t origin) : origin_(origin) {}
  second_table(second_table&&) = default;
  second_table& operator=(second_table&&) = default;
  second_table(const second_table&) = delete;
  second_table& operator=(const second_table&) = delete;
  ~second_table() = default;

  /// Times before the origin count in the first second.
  [[nodiscard]] std::uint64_t second_of(std::uint64_t at) const noexcept;
  void add(std::uint64_t second, double amount) { cell_of(second) += amount; }
  /// Adds to the second of `at`. Fast if the previous call had the same second.
  void add_at(std::uint64_t at, double amount) {
    if (at - second_ >= base::ns_per_s || cell_ == nullptr) seek(at);
    *cell_ += amount;
  }
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Calls visit(number) for each second, in order. Seconds without a number may be left out.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    for (const auto& [index, numbers] : pages_)
      for (const double number : numbers)
        visit(number);
  }
  /// Like for_each(), with visit(second, number).
  template <typename visitor>
  void for_each_second(visitor&& visit) const {
    for (const auto& [index, numbers] : pages_)
      for (std::size_t i = 0; i < page_seconds; ++i)
        visit(index * page_seconds + i, numbers[i]);
  }

 private:
  static constexpr std::size_t page_seconds = 32;
  using page = std::array<double, page_seconds>;

  std::uint64_t origin_;
  std::map<std::uint64_t, page> pages_;
  page* last_ = nullptr;  // page of the previous call; mostly the next call needs the same page
  std::uint64_t last_index_ = 0;
  double* cell_ = nullptr;  // the cell of the last add_at(); second_ is the start of its second, ns
  std::uint64_t second_ = 0;

  [[nodiscard]] double& cell_of(std::uint64_t second);
  void seek(std::uint64_t at);
};

/// Sums for each whole second after `origin`. The sums are numbers of events, or the events' shares
/// of the tokens.
class second_sums {
 public:
  explicit second_sums(std::uint64_t origin) : sums_(origin) {}

  void add(std::uint64_t at, double amount) { sums_.add_at(at, amount); }
  [[nodiscard]] double most() const;
  [[nodiscard]] const second_table& table() const noexcept { return sums_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return sums_.bytes(); }

 private:
  second_table sums_;
};

/// Upstream's `max_concurrent_requests`: each span counts in every second after `origin` that it
/// touches, including its first and last second.
class second_spans {
 public:
  explicit second_spans(std::uint64_t origin) : changes_(origin) {}

  void add(span s);
  [[nodiscard]] std::uint64_t most() const;
  /// Calls visit(from, to, count) for each stretch of seconds [from, to) in which `count` > 0 spans
  /// count, in order.
  template <typename visitor>
  void for_each_stretch(visitor&& visit) const {
    double now = 0;
    std::uint64_t since = 0;
    changes_.for_each_second([&](std::uint64_t second, double change) {
      if (now > 0 && second > since) visit(since, second, static_cast<std::uint64_t>(now));
      now += change;
      since = second;
    });
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return changes_.bytes(); }

 private:
  second_table changes_;  // for each second: spans that begin in it, minus spans that ended in the
                          // second before
};

/// Upstream's numbers for each second, of which its two peaks are the largest.
struct second_curves {
  /// Each value is the largest of this number of seconds: 1, or the smallest power of two with at
  /// most 128 values.
  std::uint64_t step = 1;
  std::vector<std::uint64_t> events;    // in a second
  std::vector<std::uint64_t> requests;  // that touch a second; as many values as `events`
};

/// The curves from the origin to the last second that a span touches. Both have the same origin;
/// events outside all spans are left out.
[[nodiscard]] second_curves curves_of(const second_sums& events, const second_spans& requests);

struct peak {
  std::uint64_t count = 0;
  std::uint64_t at = 0;  // when the peak was reached for the first time, ns
};

/// The largest number of spans at one instant. At the same instant, ends are counted before starts.
/// An empty span counts at its instant.
[[nodiscard]] peak most_at_once(const std::vector<span>& spans);

}  // namespace inferbench::metrics
