// The host of the kit: an ifb_host whose memory can run out, whose services can be missing, and
// whose table can be longer than the header says. Its functions are [any], as the contract
// demands.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

/// The memory behind an ifb_arena; also handed out by the host's HTTP service.
class arena {
 public:
  explicit arena(lending how) : memory_(how) {}

  [[nodiscard]] ifb_arena* handle() noexcept { return reinterpret_cast<ifb_arena*>(this); }
  [[nodiscard]] static arena& of(ifb_arena* handle) noexcept {
    return *reinterpret_cast<arena*>(handle);
  }
  /// Zeroed, 16-byte aligned; nullptr when the machine has no more.
  [[nodiscard]] void* alloc(std::size_t bytes) noexcept;
  /// Takes all its memory back, as at the end of an exchange.
  void close() noexcept { memory_.give_back(); }

 private:
  lent_memory memory_;
};

class host {
 public:
  struct manner {
    bool services = true;
    std::size_t failing = SIZE_MAX;  // this call of alloc, counted from 0, answers NULL
    lending memory{};
  };
  explicit host(manner how);
  host(const host&) = delete;
  host& operator=(const host&) = delete;
  ~host();

  [[nodiscard]] const ifb_host* table() const noexcept { return seen_->table; }
  /// The manner of the host that has this table.
  [[nodiscard]] static const manner& how(const ifb_host* table) noexcept;

  /// The number of calls of alloc so far.
  [[nodiscard]] std::size_t allocations() const noexcept { return seen_->allocations; }
  /// The number of lines that were logged as a warning or worse.
  [[nodiscard]] std::size_t complaints() const noexcept { return seen_->complaints; }
  void cancel() noexcept { seen_->cancelled = true; }
  /// A thread of a plugin is still busy: the parts of the host that plugins see stay until
  /// the process ends.
  void leave_behind() const noexcept { seen_->left_behind = true; }

 private:
  friend struct calls;
  // The memory that the table leads to.
  struct seen {
    manner how;
    lent_memory memory;
    ifb_host* table = nullptr;
    std::atomic<std::size_t> allocations{0};
    std::atomic<bool> cancelled{false};
    std::atomic<std::size_t> complaints{0};
    std::atomic<bool> left_behind{false};

    explicit seen(manner of) : how(of), memory(of.memory) {}
  };
  std::unique_ptr<seen> seen_;
};

}  // namespace inferbench::check
