// An engine of the draft inferbench.batch-engine under test: the calls of the host in their order,
// with arguments in lent memory. Batch and arena of a run are taken back right before the next run,
// all other arguments when the call returns. Used by one thread at a time; any thread may call
// functions that are marked [any].
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/batch_wanted.hpp"
#include "check/host.hpp"
#include "check/instance_under_test.hpp"
#include "plugin/batch_engine.hpp"

namespace inferbench::check {

/// The times of the host's clock before and after a call.
struct call_times {
  std::uint64_t before_ns = 0;
  std::uint64_t after_ns = 0;
};

/// The end of one call of the engine.
struct batch_reply {
  std::string call;  // the function, such as "run"
  ifb_status status = IFB_OK;
  ifb_error error{};
  call_times times;
  bool resized = false;  // the call has changed the struct_size of its result

  [[nodiscard]] bool ok() const noexcept { return status == IFB_OK; }
  [[nodiscard]] bool unsupported() const noexcept { return status == IFB_E_UNSUPPORTED; }
  /// "run fails: IFB_E_IO: cannot read x"
  [[nodiscard]] std::string refusal() const;
};

class batch_session {
 public:
  /// `instance` must outlive this object. Skips the test if the plugin has no complete table.
  batch_session(subject& s, const instance_under_test& instance, lending how = {});
  batch_session(const batch_session&) = delete;
  batch_session& operator=(const batch_session&) = delete;

  [[nodiscard]] const plugin::batch_engine& operations() const noexcept { return ops_; }
  [[nodiscard]] bool can(std::uint32_t ability) const noexcept {
    return (ops_.flags & ability) != 0;
  }

  [[nodiscard]] batch_reply configure(std::string_view options_json);
  [[nodiscard]] batch_reply load();
  /// The figures of load().
  [[nodiscard]] const ifb_loaded_engine& loaded() const noexcept { return loaded_; }
  [[nodiscard]] batch_reply run(const wanted_batch& wanted);
  /// The report of the last run() that answered IFB_OK. Its contents belong to the engine.
  [[nodiscard]] const ifb_batch_report& report() const noexcept { return report_; }
  [[nodiscard]] batch_reply start_profile();
  [[nodiscard]] batch_reply stop_profile();
  void cancel() const;  // [any]
  /// Takes back batch and arena of the last run, as the host does before it destroys the instance.
  void take_back() noexcept;

 private:
  // The memory that the engine may use until the next run.
  struct borrowed {
    explicit borrowed(lending how) : inputs(how), room(how) {}
    lent_memory inputs;
    arena room;
  };

  plugin::batch_engine ops_;
  ifb_instance* self_;
  lending how_;
  lent_memory calls_;                            // the other arguments
  std::vector<std::unique_ptr<borrowed>> runs_;  // only the last one is lent; the others are kept
                                                 // for the reason in lent_memory::give_back
  ifb_loaded_engine loaded_{};
  ifb_batch_report report_{};
};

/// A session with an instance and a host of its own. Skips the test if create refuses. If a thread
/// is still in a call, leave_behind() keeps the instance until the process ends.
class batch_engine_under_test {
 public:
  explicit batch_engine_under_test(subject& s, lending how = {});

  [[nodiscard]] batch_session& session() noexcept { return *session_; }
  void leave_behind() noexcept { instance_.leave_behind(); }

 private:
  host on_;
  std::unique_ptr<batch_session> session_;  // its memory outlives the instance
  instance_under_test instance_;
};

/// Loads the engine. Skips the test if load refuses; the test batch-load reports the reason.
batch_reply load_or_skip(batch_session& engine);

/// Reports mistakes in status and error of a call, and a changed struct_size.
void judge_reply(subject& s, const batch_reply& reply);

}  // namespace inferbench::check
