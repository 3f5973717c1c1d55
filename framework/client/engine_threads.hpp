// Threads for calls of an engine that blocks: one for each request in flight, begun when one
// more is needed than there are. They belong to one worker, which gives them their work and
// ends them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace inferbench::client {

class engine_flight;

class engine_threads {
 public:
  engine_threads() = default;
  engine_threads(const engine_threads&) = delete;
  engine_threads& operator=(const engine_threads&) = delete;
  /// Waits for the calls that are being performed.
  ~engine_threads();

  /// Performs `which` on a thread of its own. Returns why there is none for it, or an empty
  /// text.
  [[nodiscard]] std::string perform(engine_flight& which);

  [[nodiscard]] std::size_t count() const noexcept { return threads_.size(); }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<engine_flight*> waiting_;
  std::size_t free_ = 0;  // threads that have no call, some of them on their way to one
  bool over_ = false;
  std::vector<std::thread> threads_;  // the worker's
};

}  // namespace inferbench::client
