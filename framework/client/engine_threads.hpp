// Threads for the calls of an engine that blocks: one thread for each request in flight. A thread
// is started when all others are busy. The threads belong to one worker, which gives them work and
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
  /// Waits for the calls in flight and ends the threads.
  ~engine_threads();

  /// Performs `which` on a thread that performs no other flight meanwhile. Returns an empty text,
  /// or the reason why no thread could be started.
  [[nodiscard]] std::string perform(engine_flight& which);

  [[nodiscard]] std::size_t count() const noexcept { return threads_.size(); }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<engine_flight*> waiting_;
  std::size_t free_ = 0;  // threads without a call, minus the calls that wait for a thread
  bool over_ = false;
  std::vector<std::thread> threads_;  // used on the worker's thread only
};

}  // namespace inferbench::client
