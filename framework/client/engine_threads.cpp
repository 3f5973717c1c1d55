#include "client/engine_threads.hpp"

#include <system_error>

#include "client/engine_flight.hpp"

namespace inferbench::client {

engine_threads::~engine_threads() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  for (std::thread& one : threads_)
    one.join();
}

std::string engine_threads::perform(engine_flight& which) {
  std::unique_lock lock(mutex_);
  if (free_ == 0) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& e) {
      return e.what();
    }
    ++free_;
  }
  --free_;
  waiting_.push_back(&which);
  lock.unlock();
  changed_.notify_one();
  return {};
}

void engine_threads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    engine_flight& mine = *waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    const bool over = mine.submit();
    lock.lock();
    // The thread counts as free before it announces the end to the worker, so that the worker's
    // next request can use this thread.
    ++free_;
    if (!over) continue;
    lock.unlock();
    mine.announce();
    lock.lock();
  }
}

}  // namespace inferbench::client
