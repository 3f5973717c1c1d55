// A thread that makes prompts while the run's own threads measure.
#pragma once

#include <functional>
#include <thread>

namespace synthetic {

/// Threads to make prompts with: those of the machine, at most 8.
[[nodiscard]] unsigned usual_threads() noexcept;

/// Runs `body` on a thread that lets others go first and takes no signals. Throws
/// std::system_error.
[[nodiscard]] std::thread start_worker(std::function<void()> body);

}  // namespace synthetic
