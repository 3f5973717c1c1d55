#include "dataset/queue.hpp"

#include <algorithm>
#include <utility>

namespace inferbench::dataset {

void queue::open(std::size_t capacity, const waiting_bytes& bytes) {
  std::vector<sample_ptr> dropped(std::max<std::size_t>(capacity, 1));
  const std::lock_guard lock(mutex_);
  ring_.swap(dropped);
  head_ = 0;
  count_ = 0;
  bytes_ = 0;
  next_most_ = std::max<std::size_t>(bytes.most, 1);
  most_bytes_ = std::max(bytes.first, next_most_);
  closed_ = false;
}

bool queue::full() const noexcept { return count_ == ring_.size() || bytes_ >= most_bytes_; }

bool queue::half_empty() const noexcept {
  return count_ <= ring_.size() / 2 && bytes_ <= most_bytes_ / 2;
}

bool queue::push(sample_ptr item) {
  std::unique_lock lock(mutex_);
  if (full()) {
    most_bytes_ = next_most_;
    ++pushing_;
    shrunk_.wait(lock, [this] { return closed_ || half_empty(); });
    --pushing_;
  }
  if (closed_) return false;
  bytes_ += item->arena.used();
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
    bytes_ = 0;
    dropped.swap(ring_);  // the samples are freed after the lock is released
  }
  grown_.notify_all();
  shrunk_.notify_all();
}

// Releases `lock`, and wakes the thread that waits for room.
sample_ptr queue::take_front(std::unique_lock<std::mutex>& lock) {
  sample_ptr out = std::move(ring_[head_]);
  head_ = (head_ + 1) % ring_.size();
  --count_;
  // A sample in the queue is not changed, so it has the size that push() has added.
  bytes_ -= out->arena.used();
  const bool drained = pushing_ != 0 && half_empty();
  lock.unlock();
  if (drained) shrunk_.notify_one();
  return out;
}

sample_ptr queue::pop() {
  std::unique_lock lock(mutex_);
  grown_.wait(lock, [&] { return closed_ || count_ > 0; });
  if (count_ == 0) return {};
  return take_front(lock);
}

taken queue::try_pop(sample_ptr& out) {
  std::unique_lock lock(mutex_);
  if (count_ == 0) return closed_ ? taken::end : taken::later;
  out = take_front(lock);
  return taken::sample;
}

bool queue::wait_until_full(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return grown_.wait_for(lock, limit, [this] { return closed_ || full(); });
}

}  // namespace inferbench::dataset
