// The host as a plugin sees it: a complete ifb_host with its services. Each plugin instance has its
// own host object, so that its log lines contain the plugin's name. The host object must outlive
// the instance.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/log.hpp"

namespace inferbench::plugin {

/// The services that the run lends to its plugins. A null pointer means that the service is not
/// available. Any thread may call the functions of the services. They find their state with
/// services_of().
struct services {
  base::log* log = nullptr;
  const base::clock* clock = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  std::uint64_t seed = 0;
  const ifb_tokenizer_service* tokenizer = nullptr;
  const ifb_progress_service* progress = nullptr;
  const ifb_console_service* console = nullptr;
  const ifb_http_service* http = nullptr;
  void* tokenizer_state = nullptr;  // the state of the tokenizer service
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

/// The services to which the table belongs. A plugin passes this table to each service function.
[[nodiscard]] const services& services_of(const ifb_host* c) noexcept;

/// The result of ifb_host::seed: output number `stream`, counted from 0, of the random number
/// generator SplitMix64 (Steele, Lea, Flood 2014) with the initial state `run_seed`.
[[nodiscard]] std::uint64_t seed_of_stream(std::uint64_t run_seed, std::uint64_t stream) noexcept;

}  // namespace inferbench::plugin
