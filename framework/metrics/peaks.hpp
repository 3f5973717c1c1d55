// Peaks: upstream's two, by whole seconds, and the exact one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/clock.hpp"

namespace inferbench::metrics {

/// The time in which a request was under way, ns; begin <= end.
struct span {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A number for each whole second after `origin`; whole numbers are exact up to 2^53. Memory grows
/// with the seconds that have a number, some ten bytes each, and not with the jumps of a clock.
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
  /// Adds to the second of `at`; fast if the call before had the same second.
  void add_at(std::uint64_t at, double amount) {
    if (at - second_ >= base::ns_per_s || cell_ == nullptr) seek(at);
    *cell_ += amount;
  }
  /// `other` has the same origin.
  void merge(const second_table& other);
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Calls visit(number), second by second; seconds without any may be left out.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    for (const auto& [index, numbers] : pages_)
      for (const double number : numbers)
        visit(number);
  }

 private:
  static constexpr std::size_t page_seconds = 32;
  using page = std::array<double, page_seconds>;

  std::uint64_t origin_;
  std::map<std::uint64_t, page> pages_;
  page* last_ = nullptr;  // of the call before; the next one mostly has the same page
  std::uint64_t last_index_ = 0;
  double* cell_ = nullptr;  // of the last add_at(), and when its second began
  std::uint64_t second_ = 0;

  [[nodiscard]] double& cell_of(std::uint64_t second);
  void seek(std::uint64_t at);
};

/// Sums by whole seconds after `origin`: of events, or of their shares of the tokens.
class second_sums {
 public:
  explicit second_sums(std::uint64_t origin) : sums_(origin) {}

  void add(std::uint64_t at, double amount) { sums_.add_at(at, amount); }
  void merge(const second_sums& other) { sums_.merge(other.sums_); }
  [[nodiscard]] double most() const;
  [[nodiscard]] std::size_t bytes() const noexcept { return sums_.bytes(); }

 private:
  second_table sums_;
};

/// Upstream's `max_concurrent_requests`: each span counts in every second after
/// `origin` that it touches, first and last included.
class second_spans {
 public:
  explicit second_spans(std::uint64_t origin) : changes_(origin) {}

  void add(span s);
  void merge(const second_spans& other) { changes_.merge(other.changes_); }
  [[nodiscard]] std::uint64_t most() const;
  [[nodiscard]] std::size_t bytes() const noexcept { return changes_.bytes(); }

 private:
  second_table changes_;  // spans that begin in a second less those that have left it
};

struct peak {
  std::uint64_t count = 0;
  std::uint64_t at = 0;  // when it was reached first
};

/// Most spans at one instant; ends come before starts of the same instant, and an
/// empty span is there for its instant.
[[nodiscard]] peak most_at_once(const std::vector<span>& spans);

}  // namespace inferbench::metrics
