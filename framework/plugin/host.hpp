// The host as a plugin sees it: a complete ifb_host with its services. Each plugin instance has its
// own host object, so that its log lines contain the plugin's name. The host object must outlive
// the instance. Any thread may call the functions of the ifb_host.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/log.hpp"

namespace inferbench::plugin {

/// The objects and services that the run lends to its plugins. All pointers must be valid as long
/// as the hosts that use this struct. A null pointer means that the service is not available. Any
/// thread may call the functions of the services. They find their state with services_of().
struct services {
  base::log* log = nullptr;                      // nullptr: log lines are dropped
  const base::clock* clock = nullptr;            // nullptr: the system's clocks
  const std::atomic<bool>* cancelled = nullptr;  // true: the run is stopping; nullptr: never
  std::uint64_t seed = 0;                        // the run's seed, see seed_of_stream()
  const ifb_tokenizer_service* tokenizer = nullptr;
  const ifb_progress_service* progress = nullptr;
  const ifb_console_service* console = nullptr;
  const ifb_http_service* http = nullptr;
  void* tokenizer_state = nullptr;  // the states of the four services, in the same order
  void* progress_state = nullptr;
  void* console_state = nullptr;
  void* http_state = nullptr;
};

class host {
 public:
  /// `name` is for log lines, for example "backend openai-chat". `shared` must outlive the host.
  host(const services& shared, std::string name);
  host(const host&) = delete;
  host& operator=(const host&) = delete;

  /// The table for the plugin. Valid as long as the host.
  [[nodiscard]] const ifb_host* table() const noexcept { return &table_.c; }

 private:
  friend const services& services_of(const ifb_host* c) noexcept;
  static const host& self_of(const ifb_host* c) noexcept;
  // self_of() converts a pointer to `c`, the first member, to a pointer to the struct.
  struct linked {
    ifb_host c;
    host* self;
  };
  linked table_;
  const services* shared_;
  std::string name_;
};

/// Returns the services of the host whose table is `c`. A plugin passes this table to each function
/// of a service. `c` must be the pointer from table(), not a copy of the table.
[[nodiscard]] const services& services_of(const ifb_host* c) noexcept;

/// The result of ifb_host::seed: output number `stream`, counted from 0, of the random number
/// generator SplitMix64 (Steele, Lea, Flood 2014) with the initial state `run_seed`.
[[nodiscard]] std::uint64_t seed_of_stream(std::uint64_t run_seed, std::uint64_t stream) noexcept;

}  // namespace inferbench::plugin
