// The gaps between the events of the requests. All gaps are kept up to a number; beyond it, only
// those of the slowest requests and of requests drawn by lot. Memory is bounded. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "notable_requests.hpp"

namespace reporters {

class gap_store {
 public:
  /// `all`: the maximum number of gaps that are kept; `slowest` and `drawn`: the numbers of
  /// requests whose gaps are kept if there are more.
  struct limits {
    std::uint64_t all = 2'000'000;
    std::size_t slowest = 1000;
    std::size_t drawn = 1000;
  };
  /// The gaps of a request: `count` numbers in the form of append_varint(), in us.
  struct gap_list {
    std::uint64_t sequence = 0;
    std::uint64_t count = 0;
    std::string bytes;
  };

  explicit gap_store(limits bounds)
      : bounds_(bounds), notable_({bounds.slowest, bounds.drawn, bounds.all}) {}

  /// `count`: at least 1. `latency_us` orders the requests by their slowness.
  void add(std::uint64_t sequence, std::uint64_t latency_us, std::uint64_t count,
           const std::string& bytes);

  /// Returns the number of gaps of all requests.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] bool keeps_all() const noexcept { return total_ <= bounds_.all; }

  /// Returns the gaps that are kept, in the order of the schedule. The store is empty afterwards,
  /// except for its numbers.
  [[nodiscard]] std::vector<gap_list> take();

 private:
  struct early {
    std::uint64_t latency_us;
    gap_list gaps;
  };
  void add_notable(std::uint64_t latency_us, gap_list gaps);

  limits bounds_;
  std::uint64_t total_ = 0;
  std::vector<early> all_;  // empty if not all are kept
  notable_requests<gap_list> notable_;
};

}  // namespace reporters
