// The host as a plugin sees it: ifb_host and its services, filled in. One host object serves one
// plugin instance, so that its log lines carry the plugin's name. It must outlive the instance.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/log.hpp"

namespace inferbench::plugin {

/// The services that the run lends to its plugins; a null pointer: no such service. Their
/// functions are [any] and find their state through services_of().
struct services {
  base::log* log = nullptr;
  const base::clock* clock = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  std::uint64_t seed = 0;
  const ifb_tokenizer_service* tokenizer = nullptr;
  const ifb_progress_service* progress = nullptr;
  const ifb_console_service* console = nullptr;
  const ifb_http_service* http = nullptr;
  void* tokenizer_state = nullptr;  // the state of that service
  void* progress_state = nullptr;
  void* console_state = nullptr;
  void* http_state = nullptr;
};

class host {
 public:
  /// `name`: "backend openai-chat", for log lines. `shared` must outlive the host.
  host(const services& shared, std::string name);
  host(const host&) = delete;
  host& operator=(const host&) = delete;

  [[nodiscard]] const ifb_host* table() const noexcept { return &table_.c; }

 private:
  friend const services& services_of(const ifb_host* c) noexcept;
  static const host& self_of(const ifb_host* c) noexcept;
  struct linked {
    ifb_host c;
    host* self;
  };
  linked table_;
  const services* shared_;
  std::string name_;
};

/// The services behind the table that a plugin hands back to a service function.
[[nodiscard]] const services& services_of(const ifb_host* c) noexcept;

/// The answer of ifb_host::seed: number `stream`, counted from 0, of the generator SplitMix64
/// started at `run_seed` (Steele, Lea, Flood 2014).
[[nodiscard]] std::uint64_t seed_of_stream(std::uint64_t run_seed, std::uint64_t stream) noexcept;

}  // namespace inferbench::plugin
