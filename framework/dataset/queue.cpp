#include "dataset/queue.hpp"

#include <algorithm>
#include <utility>

namespace inferbench::dataset {

void queue::open(std::size_t capacity) {
  std::vector<sample_ptr> dropped(std::max<std::size_t>(capacity, 1));
  const std::lock_guard lock(mutex_);
  ring_.swap(dropped);
  head_ = 0;
  count_ = 0;
  closed_ = false;
}

bool queue::push(sample_ptr item) {
  std::unique_lock lock(mutex_);
  if (count_ == ring_.size())
    shrunk_.wait(lock, [&] { return closed_ || count_ <= ring_.size() / 2; });
  if (closed_) return false;
  ring_[(head_ + count_) % ring_.size()] = std::move(item);
  ++count_;
  lock.unlock();
  // notify_one() is not enough, because pop() and wait_until_full() wait for different conditions.
  grown_.notify_all();
  return true;
}

void queue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  grown_.notify_all();
  shrunk_.notify_all();
}

void queue::cancel() {
  std::vector<sample_ptr> dropped;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    count_ = 0;
    dropped.swap(ring_);  // the samples are freed after the lock is released
  }
  grown_.notify_all();
  shrunk_.notify_all();
}

sample_ptr queue::front() {
  sample_ptr out = std::move(ring_[head_]);
  head_ = (head_ + 1) % ring_.size();
  --count_;
  return out;
}

sample_ptr queue::pop() {
  std::unique_lock lock(mutex_);
  grown_.wait(lock, [&] { return closed_ || count_ > 0; });
  if (count_ == 0) return {};
  sample_ptr out = front();
  const bool drained = count_ == ring_.size() / 2;
  lock.unlock();
  if (drained) shrunk_.notify_one();
  return out;
}

taken queue::try_pop(sample_ptr& out) {
  std::unique_lock lock(mutex_);
  if (count_ == 0) return closed_ ? taken::end : taken::later;
  out = front();
  const bool drained = count_ == ring_.size() / 2;
  lock.unlock();
  if (drained) shrunk_.notify_one();
  return taken::sample;
}

bool queue::wait_until_full(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return grown_.wait_for(lock, limit, [&] { return closed_ || count_ == ring_.size(); });
}

}  // namespace inferbench::dataset
