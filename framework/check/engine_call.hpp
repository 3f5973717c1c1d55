// One request that an engine performs, from submit to release, with inputs that are lent. What
// submit was given besides sample, arena, events and output is taken back when it returns.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include <inferbench/abi.h>

#include "check/host.hpp"
#include "check/instance_under_test.hpp"
#include "check/recorder.hpp"

namespace inferbench::check {

class engine_call {
 public:
  /// Submits; on a thread of its own where the engine blocks. `sample`: JSON. Subject and instance
  /// must outlive it, unless it is left behind.
  engine_call(subject& s, instance_under_test& instance, std::string_view sample, lending how = {});
  engine_call(const engine_call&) = delete;
  engine_call& operator=(const engine_call&) = delete;
  /// Waits for submit, and releases: what is not over must not be destroyed, but be given to
  /// leave_behind().
  ~engine_call();

  [[nodiscard]] bool blocks() const noexcept { return ops_.blocks(); }
  /// There is something to be cancelled.
  [[nodiscard]] bool named() const;
  /// Cancels where there is a call by now. [any]
  void cancel();
  /// Until it is there to be cancelled, or submit has returned. False at the end of `limit`.
  [[nodiscard]] bool wait_for_name(std::chrono::milliseconds limit) const;
  /// Until submit has returned and the end was reported; a submit that fails is its own end, and
  /// so is the return of one that blocks. False at the end of `limit`.
  [[nodiscard]] bool wait(std::chrono::milliseconds limit);

  [[nodiscard]] recorder& heard() noexcept { return heard_; }
  /// Of submit, when it has returned.
  [[nodiscard]] ifb_status status() const;
  [[nodiscard]] const ifb_error& error() const noexcept { return error_; }
  /// What is over is given back to the engine; nothing is left to be cancelled.
  void release();
  /// The time that submit and release took.
  [[nodiscard]] std::chrono::nanoseconds spent() const;

  /// What is wrong with what submit returned; before release().
  void judge_submit();
  /// What is wrong with the ends that were reported. When the instance is gone nothing more can
  /// come: a thread of the engine may have more to say than the end that was waited for.
  void judge_end();

  /// For one that does not end: it stays until the process ends, and so do the instance and what
  /// it sees of its host.
  static void leave_behind(std::unique_ptr<engine_call> call);

 private:
  void submit();
  // What there is to be cancelled, or nullptr. Under mutex_.
  [[nodiscard]] ifb_call* name() const;

  subject& s_;
  instance_under_test& instance_;
  // Copies for submit: subject and instance may be gone while a call that is left behind goes on.
  ifb_instance* self_;
  plugin::engine ops_;
  lent_memory sample_memory_;  // until release
  lent_memory memory_;         // of the call of submit
  arena room_;
  recorder heard_;
  const ifb_sample* sample_;
  ifb_error* lent_error_;
  ifb_call** slot_;  // the engine's to fill, with release order while it blocks
  mutable std::mutex mutex_;
  std::condition_variable returns_;
  bool returned_ = false;
  ifb_call* call_ = nullptr;           // when returned
  mutable ifb_call* early_ = nullptr;  // what was there before it returned
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::chrono::nanoseconds spent_{0};
  std::thread thread_;
};

}  // namespace inferbench::check
