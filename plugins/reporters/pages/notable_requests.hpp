// Keeps a value (`payload`) for some requests: for the slowest requests, and for requests drawn by
// lot. The choice depends only on the requests, not on the order in which they come, so a journal
// yields the same requests as its run; limits::size names the exception. Memory is bounded. For one
// thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace reporters {

/// Returns the lot of a request: requests with the lowest lots are drawn. It is the finalizer of
/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) with
/// a fixed seed.
[[nodiscard]] constexpr std::uint64_t lot_of(std::uint64_t sequence) noexcept {
  std::uint64_t x = (sequence + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

template <typename payload>
class notable_requests {
 public:
  struct limits {
    std::size_t slowest = 1000;
    std::size_t drawn = 1000;  // further requests, drawn by lot
    /// The maximum sum of the sizes of the chosen requests, in the unit of add(). The slowest
    /// requests get at most half of it, so that there is room for drawn requests. If the slowest or
    /// the drawn requests need more, there are fewer requests, and the choice may depend on the
    /// order.
    std::uint64_t size = 2'000'000;
  };
  struct entry {
    std::uint64_t sequence = 0;
    std::uint64_t latency = 0;
    std::uint64_t size = 0;
    payload value;
  };

  explicit notable_requests(limits bounds) : bounds_(bounds) {}

  /// Calls make() for the payload if the request may be chosen at the end. `size`: a measure of the
  /// payload in any unit; a request with a size above limits::size is never chosen.
  template <typename maker>
  void add(std::uint64_t sequence, std::uint64_t latency, std::uint64_t size, maker&& make) {
    if (bounds_.slowest + bounds_.drawn == 0 || size > bounds_.size) return;
    if (latency < least_latency_ && lot_of(sequence) > highest_lot_) return;
    kept_.push_back({sequence, latency, size, make()});
    held_ += size;
    const std::size_t enough = bounds_.slowest + ranks();
    if (kept_.size() >= 2 * enough + 16 || held_ > 4 * bounds_.size) discard();
  }

  /// Returns the chosen requests in the order of the schedule. The last call of this object.
  [[nodiscard]] std::vector<entry> take() {
    std::vector<bool> chosen(kept_.size());
    std::uint64_t sum = 0;
    const auto choose = [&](const std::vector<std::size_t>& order, std::size_t most,
                            std::uint64_t size) {
      for (const std::size_t i : order) {
        if (most == 0) break;
        if (chosen[i] || sum + kept_[i].size > size) continue;
        chosen[i] = true;
        sum += kept_[i].size;
        --most;
      }
    };
    choose(by_latency(), bounds_.slowest, bounds_.drawn == 0 ? bounds_.size : bounds_.size / 2);
    choose(by_lot(), bounds_.drawn, bounds_.size);
    keep_only(chosen);
    std::ranges::sort(kept_, {}, &entry::sequence);
    return std::exchange(kept_, {});
  }

 private:
  /// The number of lowest lots that count. A request with such a lot may also be among the slowest,
  /// so there are more than `drawn`.
  [[nodiscard]] std::size_t ranks() const noexcept { return bounds_.slowest + bounds_.drawn; }

  [[nodiscard]] std::vector<std::size_t> by_latency() const {
    return ordered([](const entry& a, const entry& b) {
      return a.latency != b.latency ? a.latency > b.latency : a.sequence < b.sequence;
    });
  }
  [[nodiscard]] std::vector<std::size_t> by_lot() const {
    return ordered(
        [](const entry& a, const entry& b) { return lot_of(a.sequence) < lot_of(b.sequence); });
  }
  template <typename before>
  [[nodiscard]] std::vector<std::size_t> ordered(before&& precedes) const {
    std::vector<std::size_t> out(kept_.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = i;
    std::ranges::stable_sort(
        out, [&](std::size_t a, std::size_t b) { return precedes(kept_[a], kept_[b]); });
    return out;
  }

  /// Removes the requests that take() cannot choose any more.
  void discard() {
    std::vector<bool> chosen(kept_.size());
    const auto choose = [&](const std::vector<std::size_t>& order, std::size_t most) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        if (sum + kept_[order[i]].size > bounds_.size) continue;
        sum += kept_[order[i]].size;
        chosen[order[i]] = true;
      }
    };
    const auto slow = by_latency();
    const auto lots = by_lot();
    choose(slow, bounds_.slowest);
    choose(lots, ranks());
    if (bounds_.slowest == 0)
      least_latency_ = UINT64_MAX;
    else if (slow.size() >= bounds_.slowest)
      least_latency_ = kept_[slow[bounds_.slowest - 1]].latency;
    if (lots.size() >= ranks()) highest_lot_ = lot_of(kept_[lots[ranks() - 1]].sequence);
    keep_only(chosen);
  }

  void keep_only(const std::vector<bool>& chosen) {
    std::size_t to = 0;
    held_ = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!chosen[i]) continue;
      held_ += kept_[i].size;
      if (to != i) kept_[to] = std::move(kept_[i]);
      ++to;
    }
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(to), kept_.end());
  }

  limits bounds_;
  std::vector<entry> kept_;
  std::uint64_t held_ = 0;  // the sum of the sizes of kept_
  // A request that is faster and has a higher lot cannot be chosen any more.
  std::uint64_t least_latency_ = 0;
  std::uint64_t highest_lot_ = UINT64_MAX;
};

}  // namespace reporters
