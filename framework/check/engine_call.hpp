// One request that an engine performs, from submit to release, with lent inputs. The arguments
// of submit other than sample, arena, events and output are taken back when submit returns.
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
  /// Submits; on a thread of its own where the engine blocks. `sample`: JSON. Subject and
  /// instance must outlive this object, unless it is left behind.
  engine_call(subject& s, instance_under_test& instance, std::string_view sample, lending how = {});
  engine_call(const engine_call&) = delete;
  engine_call& operator=(const engine_call&) = delete;
  /// Waits for submit, and releases. A call that is not over must not be destroyed, but be
  /// given to leave_behind().
  ~engine_call();

  [[nodiscard]] bool blocks() const noexcept { return ops_.blocks(); }
  /// Whether there is a call that can be cancelled.
  [[nodiscard]] bool named() const;
  /// Cancels, if there is a call by now. [any]
  void cancel();
  /// Waits until the call can be cancelled, or submit has returned. False: neither happened
  /// within `limit`.
  [[nodiscard]] bool wait_for_name(std::chrono::milliseconds limit) const;
  /// Waits until submit has returned and the end was reported. A submit that fails is an end
  /// in itself, and so is the return of a blocking submit. False: not within `limit`.
  [[nodiscard]] bool wait(std::chrono::milliseconds limit);

  [[nodiscard]] recorder& heard() noexcept { return heard_; }
  /// The status of submit, once that has returned.
  [[nodiscard]] ifb_status status() const;
  [[nodiscard]] const ifb_error& error() const noexcept { return error_; }
  /// Gives a call that is over back to the engine; there is then no call to be cancelled.
  void release();
  /// The time in submit and release.
  [[nodiscard]] std::chrono::nanoseconds spent() const;

  /// Reports what is wrong with the results of submit; before release().
  void judge_submit();
  /// Reports what is wrong with the ends of the call. To be called when the instance is gone
  /// and nothing more can come: a thread of the engine may report more after the end that was
  /// waited for.
  void judge_end();

  /// For a call that does not end: it stays until the process ends, and so do the instance
  /// and the parts of the host that it uses.
  static void leave_behind(std::unique_ptr<engine_call> call);

 private:
  void submit();
  // The call that can be cancelled, or nullptr. mutex_ is held.
  [[nodiscard]] ifb_call* name() const;

  subject& s_;
  instance_under_test& instance_;
  // Copies for submit: subject and instance may be gone while a call that is left behind goes on.
  ifb_instance* self_;
  plugin::engine ops_;
  lent_memory sample_memory_;  // until release
  lent_memory memory_;         // until submit has returned
  arena room_;
  recorder heard_;
  const ifb_sample* sample_;
  ifb_error* lent_error_;
  ifb_call** slot_;  // filled by the engine, with release order while submit blocks
  mutable std::mutex mutex_;
  std::condition_variable returns_;
  bool returned_ = false;
  ifb_call* call_ = nullptr;           // once submit has returned
  mutable ifb_call* early_ = nullptr;  // the call before submit has returned
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::chrono::nanoseconds spent_{0};
  std::thread thread_;
};

}  // namespace inferbench::check
