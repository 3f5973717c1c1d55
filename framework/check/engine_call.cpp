#include "check/engine_call.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "check/raw_call.hpp"
#include "check/sample.hpp"

namespace inferbench::check {

using steady = std::chrono::steady_clock;

engine_call::engine_call(subject& s, instance_under_test& instance, std::string_view sample,
                         lending how)
    : s_(s),
      instance_(instance),
      self_(instance.get()),
      ops_(engine_of(s)),
      sample_memory_(how),
      // This memory holds only frozen structs and pointers, which must not have a tail.
      memory_({.pages = how.pages}),
      room_(how),
      heard_(how),
      sample_(lend_sample(sample_memory_, sample)) {
  ifb_call* const none = nullptr;
  lent_error_ = lend_error(memory_);
  slot_ = memory_.copy(std::span<ifb_call* const>(&none, 1));
  if (blocks())
    thread_ = std::thread([this] { submit(); });
  else
    submit();
}

engine_call::~engine_call() { release(); }

void engine_call::release() {
  if (thread_.joinable()) thread_.join();
  if (call_ == nullptr || status_ != IFB_OK) return;
  const auto began = steady::now();
  ops_.release(std::exchange(call_, nullptr));
  spent_ += steady::now() - began;
}

std::chrono::nanoseconds engine_call::spent() const {
  const std::lock_guard lock(mutex_);
  return spent_;
}

void engine_call::submit() {
  ifb_status status = IFB_OK;
  steady::duration took{};
  {
    const auto began = steady::now();
    status = raw_call(ops_.plugin, "submit", ops_.ifb_engine::submit, self_, sample_,
                      room_.handle(), heard_.events(), heard_.output(), slot_, lent_error_);
    took = steady::now() - began;
  }
  const std::lock_guard lock(mutex_);
  spent_ = took;
  status_ = status;
  error_ = *lent_error_;
  call_ = *slot_;
  returned_ = true;
  memory_.give_back();
  returns_.notify_all();
}

ifb_call* engine_call::name() const {
  if (returned_) return status_ == IFB_OK ? call_ : nullptr;
  if (early_ == nullptr) early_ = std::atomic_ref(*slot_).load(std::memory_order_acquire);
  return early_;
}

bool engine_call::named() const {
  const std::lock_guard lock(mutex_);
  return name() != nullptr;
}

void engine_call::cancel() {
  ifb_call* call = nullptr;
  {
    const std::lock_guard lock(mutex_);
    call = name();
  }
  if (call == nullptr) return;
  // The lock is released here, because the engine may report the end and return from submit before
  // cancel returns.
  ops_.cancel(call);
}

bool engine_call::wait_for_name(std::chrono::milliseconds limit) const {
  const auto deadline = steady::now() + limit;
  for (;;) {
    if (named()) return true;
    {
      const std::lock_guard lock(mutex_);
      if (returned_) return true;
    }
    if (steady::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool engine_call::wait(std::chrono::milliseconds limit) {
  const auto deadline = steady::now() + limit;
  {
    std::unique_lock lock(mutex_);
    if (!returns_.wait_until(lock, deadline, [this] { return returned_; })) return false;
    if (status_ != IFB_OK) return true;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady::now());
  return blocks() || heard_.wait_for_end(std::max(left, std::chrono::milliseconds(0)));
}

ifb_status engine_call::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void engine_call::judge_submit() {
  {
    const std::lock_guard lock(mutex_);
    if (early_ != nullptr && status_ == IFB_OK && early_ != call_)
      s_.fail("submit hands out one call early, and another call when it returns", "set *out once");
    if (status_ != IFB_OK && (early_ != nullptr || call_ != nullptr))
      s_.fail("submit hands out a call and then fails",
              "once *out is set, report a failure with on_error, and answer with IFB_OK");
  }
  judge_refusal(s_, "submit", status_, error_);
}

void engine_call::judge_end() {
  if (status() == IFB_OK && heard_.ends() == 0)
    s_.fail("a call ends without on_done and on_error", "report each end, exactly once");
  if (heard_.ends() > 1)
    s_.fail("the end of a call is reported " + std::to_string(heard_.ends()) + " times",
            "call on_done or on_error once");
  else if (!heard_.after_end().empty())
    s_.fail("after the end of a call the engine reports `" + heard_.after_end() + "`",
            "call nothing of ifb_events after on_done or on_error");
  s_.add(heard_.odd());
}

void engine_call::stop(std::unique_ptr<engine_call>& call) {
  const auto limit = call->s_.given().limit;
  static_cast<void>(call->wait_for_name(limit / 8));
  call->cancel();
  if (call->wait(limit / 4)) return;
  leave_behind(std::move(call));
  subject::skip("a call does not end: see the test engine-cancel");
}

void engine_call::leave_behind(std::unique_ptr<engine_call> call) {
  call->instance_.leave_behind();
  call->s_.leave_behind();
  if (call->thread_.joinable()) call->thread_.detach();
  std::ignore = call.release();
}

}  // namespace inferbench::check
