#include "single_stage.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "batch_schedule.hpp"
#include "word_text.hpp"

namespace reference_engine {

single_stage::single_stage(ifb::host host, const reference_options& given, std::uint64_t seed)
    : host_(host), given_(given), seed_(seed), thread_([this] { work(); }) {}

single_stage::~single_stage() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t single_stage::reserve() {
  const std::lock_guard lock(mutex_);
  return next_++;
}

void single_stage::enter(actor& request) {
  {
    const std::lock_guard lock(mutex_);
    // Under the lock, so that the request does not begin before the one that made room has ended.
    const std::uint64_t now = host_.now();
    if (request.stopped_)
      stopped_.push_back(&request);
    else if (running_ < given_.max_batch)
      begin(request, now);
    else
      waiting_.push_back({&request, now});
  }
  changed_.notify_all();
}

void single_stage::dismiss(actor& request) noexcept {
  {
    const std::lock_guard lock(mutex_);
    request.stopped_ = true;
    const auto is_this = [&](const auto& each) { return each.second == &request; };
    if (const auto running = std::ranges::find_if(due_, is_this); running != due_.end()) {
      // A request whose time is 0 is the next, and is then ended.
      auto moved = due_.extract(running);
      moved.key() = 0;
      due_.insert(std::move(moved));
    } else if (const auto queued = std::ranges::find(waiting_, &request, &waiting_actor::request);
               queued != waiting_.end()) {
      waiting_.erase(queued);
      stopped_.push_back(&request);
    }
  }
  changed_.notify_all();
}

/// Under the mutex.
void single_stage::begin(actor& request, std::uint64_t at) {
  ++running_;
  due_.emplace(at + time_to_first(given_, request.facts_), &request);
}

/// Under the mutex: the request that waits longest takes the place that became free.
void single_stage::start_waiting(std::uint64_t freed_at) {
  --running_;
  if (waiting_.empty()) return;
  const waiting_actor next = waiting_.front();
  waiting_.pop_front();
  begin(*next.request, std::max(next.arrived, freed_at));
}

/// Reports the next token. Returns the time of the token after it; nullopt: the request has ended,
/// and the host may have destroyed it.
std::optional<std::uint64_t> single_stage::step(actor& request, std::uint64_t due) const {
  const auto every = static_cast<std::uint64_t>(given_.fail_every);
  if (every != 0 && (request.number_ + 1) % every == 0) {
    request.out_.error(IFB_E_REMOTE, "request " + std::to_string(request.number_) +
                                         " fails, as the option fail-every wants");
    return std::nullopt;
  }
  const auto position = static_cast<std::uint64_t>(request.said_);
  std::string text = position == 0 ? "" : " ";
  text += word_at(seed_, beginning_of(seed_, request.number_, 0, 0) + position);
  request.out_.token_at(due, text, 1);
  if (++request.said_ < request.facts_.output_tokens)
    return due + static_cast<std::uint64_t>(given_.itl.count());
  request.out_.usage({.prompt = request.facts_.prompt_tokens, .output = request.said_});
  request.out_.done(request.facts_.stops ? "stop" : "length");
  return std::nullopt;
}

void single_stage::end_stopped(std::unique_lock<std::mutex>& lock) {
  const std::vector<actor*> ending = std::exchange(stopped_, {});
  lock.unlock();
  for (const actor* each : ending)
    each->out_.error(IFB_E_CANCELLED, "cancelled");
  lock.lock();
}

void single_stage::work() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (!stopped_.empty()) {
      end_stopped(lock);
      continue;
    }
    if (due_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const std::uint64_t first = due_.begin()->first;
    const std::uint64_t now = host_.now();
    if (first > now) {
      changed_.wait_for(lock, std::chrono::nanoseconds(first - now));
      continue;
    }
    auto mine = due_.extract(due_.begin());
    actor& request = *mine.mapped();
    if (request.stopped_) {
      stopped_.push_back(&request);
      start_waiting(now);
      continue;
    }
    lock.unlock();
    // The host may call dismiss() during the report, so the mutex is free.
    const std::optional<std::uint64_t> next = step(request, first);
    lock.lock();
    if (!next) {
      start_waiting(first);
      continue;
    }
    mine.key() = request.stopped_ ? 0 : *next;
    due_.insert(std::move(mine));
  }
}

}  // namespace reference_engine
