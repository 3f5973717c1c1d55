// The host of the kit: an ifb_host whose memory can run out, whose services can be missing, and
// whose table can be longer than ifb_host in abi.h. Its wall clock stands still, so that the dates
// in two requests are equal. As the contract demands, its functions may be called on any thread
// ([any]).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"
#include "check/outcome.hpp"

namespace inferbench::check {

/// The time of the host's wall clock, in nanoseconds since 1970-01-01 UTC.
inline constexpr std::int64_t wall_clock_ns = 1'795'000'000'000'000'000;

/// The kit's implementation of ifb_arena. The host's HTTP service also hands out such arenas.
class arena {
 public:
  explicit arena(lending how) : memory_(how) {}

  [[nodiscard]] ifb_arena* handle() noexcept { return reinterpret_cast<ifb_arena*>(this); }
  [[nodiscard]] static arena& of(ifb_arena* handle) noexcept {
    return *reinterpret_cast<arena*>(handle);
  }
  /// Returns memory that is zeroed and 16-byte aligned; nullptr if the machine is out of memory.
  [[nodiscard]] void* alloc(std::size_t bytes) noexcept;
  /// Takes back all memory of the arena, as the host does at the end of an exchange.
  void close() noexcept { memory_.give_back(); }

 private:
  lent_memory memory_;
};

class host {
 public:
  struct manner {
    bool services = true;
    std::size_t failing = SIZE_MAX;  // the call of alloc with this number, counted from 0, returns
                                     // NULL
    lending memory{};
  };
  explicit host(manner how);
  host(const host&) = delete;
  host& operator=(const host&) = delete;
  ~host();

  [[nodiscard]] const ifb_host* table() const noexcept { return seen_->table; }
  /// The manner of the host to which `table` belongs.
  [[nodiscard]] static const manner& how(const ifb_host* table) noexcept;

  /// The number of calls of alloc so far.
  [[nodiscard]] std::size_t allocations() const noexcept { return seen_->allocations; }
  /// The number of lines, other than blank lines, that plugins logged as warnings or errors.
  [[nodiscard]] std::size_t complaints() const noexcept { return seen_->complaints; }
  /// The first fault in a call of a plugin into the host; its text is empty if there was none.
  [[nodiscard]] finding fault() const;
  /// Records a fault in a call of a plugin; only the first fault is kept. `table` is the table with
  /// which the plugin made the call. [any]
  static void blame(const ifb_host* table, finding fault);
  void cancel() noexcept { seen_->cancelled = true; }
  /// Call this if a thread of a plugin is still busy: the parts of the host that plugins see are
  /// then kept until the process ends.
  void leave_behind() const noexcept { seen_->left_behind = true; }

 private:
  friend struct calls;
  // The objects that plugins reach through the table.
  struct seen {
    manner how;
    lent_memory memory;
    ifb_host* table = nullptr;
    std::atomic<std::size_t> allocations{0};
    std::atomic<bool> cancelled{false};
    std::atomic<std::size_t> complaints{0};
    std::atomic<bool> left_behind{false};
    std::mutex mutex;
    finding fault;  // guarded by mutex

    explicit seen(manner of) : how(of), memory(of.memory) {}
  };
  std::unique_ptr<seen> seen_;
};

}  // namespace inferbench::check
