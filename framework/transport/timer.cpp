#include "transport/timer.hpp"

#include <algorithm>

namespace inferbench::transport {

namespace {
constexpr std::size_t arity = 4;  // the children of a node fit into one and a half cache lines
}

timer::~timer() {
  if (queue_ != nullptr) queue_->cancel(*this);
}

timer_queue::~timer_queue() {
  for (const entry& e : heap_)
    e.what->queue_ = nullptr;
}

void timer_queue::put(std::size_t place, const entry& e) noexcept {
  heap_[place] = e;
  e.what->place_ = place;
}

void timer_queue::rise(std::size_t place, const entry& e) noexcept {
  while (place > 0) {
    const std::size_t parent = (place - 1) / arity;
    if (!before(e, heap_[parent])) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, e);
}

void timer_queue::sink(std::size_t place, const entry& e) noexcept {
  for (;;) {
    const std::size_t first = place * arity + 1;
    if (first >= heap_.size()) break;
    const std::size_t last = std::min(first + arity, heap_.size());
    std::size_t least = first;
    for (std::size_t i = first + 1; i < last; ++i)
      if (before(heap_[i], heap_[least])) least = i;
    if (!before(heap_[least], e)) break;
    put(place, heap_[least]);
    place = least;
  }
  put(place, e);
}

void timer_queue::arm(timer& t, std::uint64_t deadline) {
  if (t.queue_ != nullptr) t.queue_->cancel(t);
  t.deadline_ = deadline;
  t.queue_ = this;
  const entry e{std::max(deadline, firing_at_), order_++, &t};
  heap_.push_back(e);
  rise(heap_.size() - 1, e);
}

void timer_queue::cancel(timer& t) noexcept {
  if (t.queue_ != this) return;
  t.queue_ = nullptr;
  const entry moved = heap_.back();
  heap_.pop_back();
  const std::size_t place = t.place_;
  if (place == heap_.size()) return;
  if (place > 0 && before(moved, heap_[(place - 1) / arity]))
    rise(place, moved);
  else
    sink(place, moved);
}

std::size_t timer_queue::fire(std::uint64_t now) {
  // If a callback arms a timer in the past, the timer gets the deadline `now`, so it comes after
  // all timers that were already due. The first timer that was armed during this pass ends the
  // pass.
  const std::uint64_t end = order_;
  firing_at_ = now;
  std::size_t fired = 0;
  while (!heap_.empty() && heap_.front().deadline <= now && heap_.front().order < end) {
    timer& due = *heap_.front().what;
    cancel(due);
    ++fired;
    due.action_(now);  // may destroy `due`
  }
  firing_at_ = 0;
  return fired;
}

}  // namespace inferbench::transport
