// Messages about a worker that does not do what it should: what happened, what to do, and the last
// lines of its output. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/guard.hpp>

#include "messages.hpp"

namespace python_engine {

/// The activity of the worker.
enum class phase : std::uint8_t { starting, loading, idle, batch, traffic, stopping };

/// The facts for a message about a worker.
struct worker_facts {
  std::string interpreter;  // the word of the command
  phase at = phase::starting;
  std::string last_lines = {};  // of its output
  std::string exception = {};   // the last line of its output that names an exception
};

/// An error frame as a failure: a missing package with the command that installs it, an option, a
/// lack of memory, ...
[[nodiscard]] ifb::failure about_error(const error_message& error, const worker_facts& worker);

/// The worker has ended by itself or was killed by another; `wait_status` as from waitpid().
[[nodiscard]] ifb::failure about_end(int wait_status, const worker_facts& worker);

/// The worker has closed its socket and still runs.
[[nodiscard]] ifb::failure about_closed_socket(const worker_facts& worker);

/// The frame `awaited` did not come within `limit_s` seconds; `option` is the name of the limit.
[[nodiscard]] ifb::failure about_silence(std::string_view awaited, double limit_s,
                                         std::string_view option, const worker_facts& worker);

/// The worker has violated the protocol.
[[nodiscard]] ifb::failure about_violation(const ifb::failure& found, const worker_facts& worker);

}  // namespace python_engine
