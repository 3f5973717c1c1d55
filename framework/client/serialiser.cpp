#include "client/serialiser.hpp"

#include <algorithm>
#include <system_error>

#include "base/cpu.hpp"

namespace inferbench::client {

serialiser::~serialiser() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  for (std::thread& one : threads_)
    one.join();
}

bool serialiser::begin(task& what) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(&what);
    if (idle_ < waiting_.size() && threads_.size() < most_threads) {
      try {
        threads_.emplace_back([this] { work(); });
        ++idle_;
      } catch (const std::system_error&) {
        if (threads_.empty()) {
          waiting_.pop_back();
          return false;
        }
      }
    }
  }
  changed_.notify_one();
  return true;
}

bool serialiser::withdraw(task& what) {
  const std::lock_guard lock(mutex_);
  return std::erase(waiting_, &what) != 0;
}

void serialiser::collect() {
  {
    const std::lock_guard lock(mutex_);
    collected_.swap(done_);
  }
  for (task* const one : collected_)
    one->on_serialised();
  collected_.clear();
}

// The event loop is woken under the lock. So no thread uses the loop after collect() has taken the
// last task.
void serialiser::work() {
  base::give_way();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    task& mine = *waiting_.front();
    waiting_.pop_front();
    --idle_;
    lock.unlock();
    mine.serialise();
    lock.lock();
    ++idle_;
    done_.push_back(&mine);
    loop_.wake();
  }
}

}  // namespace inferbench::client
