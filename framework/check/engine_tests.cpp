// Engines: calls that end once, and soon when they are told to.
#include <memory>
#include <thread>
#include <tuple>

#include "check/made.hpp"
#include "check/recorder.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"
#include "plugin/breadcrumb.hpp"

namespace inferbench::check {

namespace {

// One call of an engine; submit runs on a thread of its own where it blocks.
class submitted {
 public:
  explicit submitted(subject& s)
      : s_(s), ops_(engine_of(s)), on_({}), instance_(s, on_, s.values()), room_({}) {
    need(instance_);
    sample_ = lend_sample(memory_, all_shapes().front().json);
    if ((ops_.flags & IFB_ENGINE_BLOCKING) != 0)
      thread_ = std::thread([this] { submit(); });
    else
      submit();
  }
  submitted(const submitted&) = delete;
  submitted& operator=(const submitted&) = delete;
  ~submitted() {
    if (thread_.joinable()) thread_.join();
    if (call_ != nullptr) {
      const plugin::breadcrumb crumb(s_.plugin().plugin, "release");
      ops_.release(call_);
    }
  }

  void cancel() {
    const plugin::breadcrumb crumb(s_.plugin().plugin, "cancel");
    if (call_ != nullptr) ops_.cancel(call_);
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] recorder& heard() { return heard_; }
  /// After join(), or where submit does not block.
  [[nodiscard]] ifb_status status() const { return status_; }
  [[nodiscard]] const ifb_error& error() const { return error_; }
  [[nodiscard]] bool blocks() const { return thread_.joinable(); }

 private:
  void submit() {
    const plugin::breadcrumb crumb(s_.plugin().plugin, "submit");
    status_ = ops_.submit(instance_.get(), sample_, room_.handle(), heard_.events(),
                          heard_.output(), &call_, &error_);
  }

  subject& s_;
  ifb_engine ops_;
  host on_;
  made instance_;
  lender memory_;
  arena room_;
  recorder heard_;
  const ifb_sample* sample_ = nullptr;
  ifb_call* call_ = nullptr;
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::thread thread_;
};

void judge(subject& s, recorder& heard, ifb_status status) {
  if (status >= 0 && heard.ends() == 0)
    s.fail("a call ends without on_done and on_error", "report each end, exactly once");
  if (heard.ends() > 1)
    s.fail("the end of a call is reported " + std::to_string(heard.ends()) + " times",
           "call on_done or on_error once");
  else if (!heard.after_end().empty())
    s.fail("after the end of a call it reports `" + heard.after_end() + "`",
           "call nothing of ifb_events after on_done or on_error");
}

}  // namespace

void check_engine_events(subject& s) {
  auto call = std::make_unique<submitted>(s);
  const bool ended = call->heard().wait_for_end(s.given().limit / 2);
  if (!ended) call->cancel();
  if (!ended && !call->heard().wait_for_end(s.given().limit / 4) && call->status() >= 0) {
    // What still runs may use all of it: it stays until the process ends.
    std::ignore = call.release();
    subject::skip("a call does not end: see the test engine-cancel");
  }
  call->join();
  judge_refusal(s, "submit", call->status(), call->error());
  judge(s, call->heard(), call->status());
}

void check_engine_cancel(subject& s) {
  auto call = std::make_unique<submitted>(s);
  // While submit blocks nobody has a call to cancel yet: the host's cancelled() is all there is.
  if (call->blocks()) subject::skip("submit blocks: there is no call to cancel before it is over");
  call->cancel();
  if (call->status() >= 0 && !call->heard().wait_for_end(s.given().limit / 2)) {
    std::ignore = call.release();
    s.fail("a call that was cancelled does not end",
           "call on_done or on_error soon after cancel, from any thread");
    return;
  }
  call->cancel();  // may come late, too
  judge(s, call->heard(), call->status());
}

}  // namespace inferbench::check
