// A thread that makes prompts while the run's own threads measure.
#pragma once

#include <functional>
#include <thread>

namespace synthetic {

/// Returns the number of threads that make prompts: as many as the machine supports in parallel, at
/// most 8.
[[nodiscard]] unsigned usual_threads() noexcept;

/// Runs `body` on a thread with low priority that receives no signals. Throws std::system_error.
[[nodiscard]] std::thread start_worker(std::function<void()> body);

}  // namespace synthetic
