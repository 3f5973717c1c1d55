// The host of the kit: an ifb_host whose memory can run out, whose services can be
// missing, and whose table can be longer than the header says. Calls of it are [any], as
// the contract demands.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <inferbench/abi.h>

#include "check/lender.hpp"

namespace inferbench::check {

/// What a plugin is given as ifb_arena; handed out by the host's HTTP service, too.
class arena {
 public:
  explicit arena(lending how) : memory_(how) {}

  [[nodiscard]] ifb_arena* handle() noexcept { return reinterpret_cast<ifb_arena*>(this); }
  [[nodiscard]] static arena& of(ifb_arena* handle) noexcept {
    return *reinterpret_cast<arena*>(handle);
  }
  /// Zeroed, 16-byte aligned; nullptr when the machine has no more.
  [[nodiscard]] void* alloc(std::size_t bytes) noexcept;
  /// What came from it is gone, like at the end of an exchange.
  void close() noexcept { memory_.give_back(); }

 private:
  lender memory_;
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

  [[nodiscard]] const ifb_host* table() const noexcept { return table_; }
  [[nodiscard]] static host& of(const ifb_host* table) noexcept;
  [[nodiscard]] const manner& how() const noexcept { return how_; }

  /// Calls of alloc so far.
  [[nodiscard]] std::size_t allocations() const noexcept { return allocations_; }
  /// Lines logged as a warning or worse.
  [[nodiscard]] std::size_t complaints() const noexcept { return complaints_; }
  void cancel() noexcept { cancelled_ = true; }

 private:
  friend struct calls;
  manner how_;
  lender memory_;
  ifb_host* table_ = nullptr;
  std::atomic<std::size_t> allocations_{0};
  std::atomic<bool> cancelled_{false};
  std::atomic<std::size_t> complaints_{0};
};

}  // namespace inferbench::check
