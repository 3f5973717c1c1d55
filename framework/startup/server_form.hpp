// `inferbench startup --server-cmd`: the starts of a server command.
#pragma once

#include <atomic>
#include <span>
#include <string>

#include "base/clock.hpp"
#include "offline/other_options.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "startup/server_start.hpp"
#include "startup/start_sample.hpp"

namespace inferbench::startup {

/// The set-up of a start from the options: splits the command like a shell, and resolves the
/// address. The key of the API is $OPENAI_API_KEY. `options.server` must be there. Throws
/// base::error for a command or an address that cannot be used, and for an unknown host.
[[nodiscard]] server_start_setup setup_of(const offline::startup_options& options,
                                          const options::environment& env);

/// The phases listening, ready and, if it was wanted, first_token of a start. `unix_offset_ns`:
/// what the time since 1970 is ahead of the clock.
[[nodiscard]] start_sample sample_of(const server_start_times& times, std::int64_t unix_offset_ns);

/// A server that is started again and again. One thread.
class repeated_server final : public repeatable_start {
 public:
  /// `clock` and `stop` must outlive the object.
  repeated_server(server_start_setup setup, const base::clock& clock, const std::atomic<bool>& stop)
      : setup_(std::move(setup)), clock_(clock), stop_(stop) {}

  /// measure_server_start() describes the errors.
  [[nodiscard]] start_sample start(std::span<const std::string> environment) override;

  /// Facts for the result: the command without its secrets, the address, the path that was ready,
  /// and the longest time that the server has taken to end.
  [[nodiscard]] options::node about() const;

 private:
  server_start_setup setup_;
  const base::clock& clock_;
  const std::atomic<bool>& stop_;
  std::string ready_path_;     // of the last start
  std::uint64_t stop_ns_ = 0;  // the longest
  std::int64_t killed_ = 0;    // starts that SIGKILL has ended
};

}  // namespace inferbench::startup
