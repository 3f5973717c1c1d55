// The servers of both arms of `compare --run`, between the runs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "compare/arm.hpp"
#include "observe/idle.hpp"
#include "services/target.hpp"

namespace inferbench::compare {

/// Used by one thread.
class arm_servers {
 public:
  /// Waits so long; true: the user stops the program.
  using pause = std::function<bool(std::uint64_t ns)>;

  /// Looks the addresses up and asks the servers. Servers that both arms have are asked once. `log`
  /// must outlive the object. Throws base::error like services::target.
  arm_servers(const std::array<arm, 2>& arms, std::uint64_t settle_ns, pause wait, base::log& log);
  arm_servers(const arm_servers&) = delete;
  arm_servers& operator=(const arm_servers&) = delete;

  /// Returns when the servers of both arms have nothing to do, or when the user
  /// stops the program (observe/idle.hpp). Logs a warning if a server is still
  /// busy after the patience.
  void wait_until_idle() const;
  /// Whether the servers of both arms answer as well as when this object was made
  /// (observe/idle.hpp). False also if the user stops the program.
  [[nodiscard]] bool all_answer() const;

 private:
  [[nodiscard]] observe::idle_wait waiting() const;

  base::monotonic_clock clock_;
  std::vector<std::unique_ptr<services::target>> servers_;
  std::vector<observe::reply> at_first_;
  std::uint64_t settle_ns_;
  pause pause_;
  base::log& log_;
};

}  // namespace inferbench::compare
