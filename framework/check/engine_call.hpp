// One request that an engine performs, from submit to release. Its inputs are in lent memory. When
// submit returns, the kit takes back the memory of all arguments except sample, arena, events and
// output.
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
  /// Calls submit; if the engine blocks, calls it on a new thread. `sample`: JSON. `s` and
  /// `instance` must outlive this object, unless the call is passed to leave_behind().
  engine_call(subject& s, instance_under_test& instance, std::string_view sample, lending how = {});
  engine_call(const engine_call&) = delete;
  engine_call& operator=(const engine_call&) = delete;
  /// Waits until submit has returned, and releases the call. Do not destroy a call that has not
  /// ended: pass it to leave_behind().
  ~engine_call();

  [[nodiscard]] bool blocks() const noexcept { return ops_.blocks(); }
  /// Whether the engine has handed out a call that can be cancelled.
  [[nodiscard]] bool named() const;
  /// Cancels the call, if the engine has handed it out. Any thread.
  void cancel();
  /// Waits until the call can be cancelled or submit has returned. Returns false if `limit` passes
  /// first.
  [[nodiscard]] bool wait_for_name(std::chrono::milliseconds limit) const;
  /// Waits until submit has returned and the engine has reported the end of the call. If submit
  /// fails, or if the engine blocks, the return of submit is enough. False if this takes longer
  /// than `limit`.
  [[nodiscard]] bool wait(std::chrono::milliseconds limit);

  [[nodiscard]] recorder& heard() noexcept { return heard_; }
  /// The status that submit returned. Valid after submit has returned.
  [[nodiscard]] ifb_status status() const;
  [[nodiscard]] const ifb_error& error() const noexcept { return error_; }
  /// Releases a call that has ended: passes it back to the engine. After this no call can be
  /// cancelled.
  void release();
  /// The time in submit and release.
  [[nodiscard]] std::chrono::nanoseconds spent() const;

  /// Reports a finding for each error in the results of submit. Call this before release().
  void judge_submit();
  /// Reports a finding if the call reported no end, several ends, events after its end, or invalid
  /// events. Call this after the instance was destroyed: a thread of the engine may report further
  /// events before that.
  void judge_end();

  /// Cancels a call that has not ended, and waits for its end. If the call does not end, leaves it
  /// behind and skips the test; the test engine-cancel reports this.
  static void stop(std::unique_ptr<engine_call>& call);
  /// For a call that does not end: the call, the instance and the parts of the host that the
  /// instance uses are kept until the process ends.
  static void leave_behind(std::unique_ptr<engine_call> call);

 private:
  void submit();
  // The call that can be cancelled, or nullptr. mutex_ is held.
  [[nodiscard]] ifb_call* name() const;

  subject& s_;
  instance_under_test& instance_;
  // Copies for submit(), which may still run on its thread after leave_behind(), when subject and
  // instance are gone.
  ifb_instance* self_;
  plugin::engine ops_;
  lent_memory sample_memory_;  // valid until this object is destroyed
  lent_memory memory_;         // taken back when submit returns
  arena room_;
  recorder heard_;
  const ifb_sample* sample_;
  ifb_error* lent_error_;
  ifb_call** slot_;  // the engine stores the call here; while submit blocks, it does so with
                     // release order
  mutable std::mutex mutex_;
  std::condition_variable returns_;
  bool returned_ = false;
  ifb_call* call_ = nullptr;           // set when submit returns
  mutable ifb_call* early_ = nullptr;  // the call that *slot_ held before submit returned
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::chrono::nanoseconds spent_{0};
  std::thread thread_;
};

}  // namespace inferbench::check
