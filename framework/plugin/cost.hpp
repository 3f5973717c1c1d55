// The cost of calls into a plugin: wall time on the calling thread, including the time of the
// plugin's calls to the host. The first 64 calls of each kind are timed, and later about one call
// of 64, so that the measurement itself costs almost nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/histogram.hpp"
#include "plugin/breadcrumb.hpp"

namespace inferbench::plugin {

/// The calls that a run makes for each request, event, row, record or text.
enum class call : std::uint8_t {
  // calls of a codec
  open,
  request,
  sign,
  on_head,
  on_message,
  on_end,
  close,
  // calls of an engine
  submit,
  release,
  // calls of a dataset, a reporter, a tokenizer and a scorer
  read,
  records,
  count,
  encode,
  score
};
inline constexpr std::size_t call_kinds = static_cast<std::size_t>(call::score) + 1;
/// The name of the call, like the member of the operation table.
[[nodiscard]] constexpr const char* name_of(call which) noexcept {
  constexpr std::array names = {"open",    "request", "sign",   "on_head", "on_message",
                                "on_end",  "close",   "submit", "release", "read",
                                "records", "count",   "encode", "score"};
  static_assert(names.size() == call_kinds);
  return names[static_cast<std::size_t>(which)];
}

/// The times of one kind of call, in ns for each unit. A unit is one call. Exceptions: one record
/// for `records`, and 1,000 bytes of text for `count` and `encode`.
struct call_cost {
  call which = call::open;
  std::uint64_t timed = 0;  // number of timed calls
  double mean = 0;          // weighted by units, like the members below
  double median = 0;
  double p99 = 0;
};

/// The times of one instance's calls. Any thread.
class cost_sheet {
 public:
  /// Reserves memory, so that timing a call of this kind does not allocate.
  void expect(call which);

  /// Whether this call is to be timed.
  [[nodiscard]] bool due(call which) const noexcept {
    // After the first calls, one call of `one_of` is timed. Each step adds the golden ratio. This
    // spreads the timed calls evenly over the calls of one thread, and avoids a pattern such as
    // every second or third call. By this rule, the first timed call of a thread is its 34th.
    thread_local std::array<std::uint32_t, call_kinds> turns{};
    std::uint32_t& turn = turns[static_cast<std::size_t>(which)];
    turn += 0x9E37'79B9U;
    return turn < UINT32_MAX / one_of ||
           tallies_[static_cast<std::size_t>(which)].timed.load(std::memory_order_relaxed) < one_of;
  }
  /// Adds a call that took `ns`, minus the time of reading the clock. A call with 0 units is not
  /// counted. Allocates only if expect() was not called for this kind.
  void add(call which, std::uint64_t ns, std::uint64_t units) noexcept;

  /// The times since the last take(); kinds without a timed call are left out.
  [[nodiscard]] std::vector<call_cost> take();

 private:
  static constexpr std::uint32_t one_of = 64;

  // Every call reads `timed`. The other members are often written, so they are on another cache
  // line.
  struct tally {
    alignas(64) std::atomic<std::uint64_t> timed = 0;
    alignas(64) std::mutex mutex;
    base::histogram ns;  // time for each unit
  };
  std::array<tally, call_kinds> tallies_;
};

/// One call into a plugin, which lasts as long as this object. Leaves a breadcrumb and, if the call
/// is due() to be timed, measures its time. If `costs` is nullptr, the call is not timed.
class crossing {
 public:
  crossing(const ifb_plugin* plugin, call which, cost_sheet* costs,
           std::uint64_t units = 1) noexcept
      : crumb_(plugin, name_of(which)), costs_(costs), units_(units), which_(which) {
    if (costs != nullptr && costs->due(which)) [[unlikely]]
      began_ns_ = now();
  }
  crossing(const crossing&) = delete;
  crossing& operator=(const crossing&) = delete;
  ~crossing() {
    if (began_ns_ != 0) [[unlikely]]
      costs_->add(which_, now() - began_ns_, units_);
  }

  /// As in breadcrumb.
  template <typename callable>
  auto run(callable&& call) const {
    return crumb_.run(std::forward<callable>(call));
  }
  template <typename callable>
  auto run_last(callable&& call) const noexcept {
    return crumb_.run_last(std::forward<callable>(call));
  }

 private:
  [[nodiscard]] static std::uint64_t now() noexcept;

  breadcrumb crumb_;
  cost_sheet* costs_;
  std::uint64_t units_;
  std::uint64_t began_ns_ = 0;  // 0: the call is not timed
  call which_;
};

}  // namespace inferbench::plugin
