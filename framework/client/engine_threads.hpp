// Threads for the calls of an engine that blocks: one for each request in flight, started when no
// thread is free. They belong to one worker, which gives them work and ends them.
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

  /// Performs `which` on a thread of its own. Returns an empty text, or the reason why no thread
  /// could be started.
  [[nodiscard]] std::string perform(engine_flight& which);

  [[nodiscard]] std::size_t count() const noexcept { return threads_.size(); }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<engine_flight*> waiting_;
  std::size_t free_ = 0;  // threads without a call, some of them about to take one
  bool over_ = false;
  std::vector<std::thread> threads_;  // the worker's
};

}  // namespace inferbench::client
