// Tests of engines: each call ends once, and ends soon after it is cancelled.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/engine_call.hpp"
#include "check/instance_under_test.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

using std::chrono::milliseconds;

struct engine {
  explicit engine(subject& s) : on({}), instance(s, on, s.values()) { need(instance); }

  host on;
  instance_under_test instance;
};

// Stops the run to end a call that cannot be cancelled. Returns false if the call does not end.
bool end_nameless(subject& s, engine& owner, engine_call& call) {
  owner.on.cancel();
  const bool ended = call.wait(s.given().limit / 2);
  // A call that cannot be cancelled is allowed; the user has to wait for it.
  if (!call.blocks())
    s.warn("submit leaves *out NULL while the call goes on: there is nothing to cancel",
           "set *out to a call, and end the call soon after cancel");
  else if (ended)
    s.warn(
        "while submit blocks there is no call to cancel: only the end of the run ends the request",
        "set *out before the request is performed, with release order");
  else
    s.fail(
        "while submit blocks there is no call to cancel, and the end of the run does not end "
        "the request, either",
        "set *out before the request is performed, with release order, and end the call soon "
        "after cancel");
  return ended;
}

// Starts a call and cancels it after `pause`. Returns whether the call was in flight when it was
// cancelled, or nullopt if a further call would show nothing new. A call that has ended is stored
// in `call`, so that the caller can judge it.
std::optional<bool> cancel_one(subject& s, milliseconds pause, std::unique_ptr<engine_call>& call) {
  engine owner(s);
  call = std::make_unique<engine_call>(s, owner.instance, all_shapes().front().json);
  const auto patience = s.given().limit / 8;
  if (!call->wait_for_name(patience) || (!call->named() && !call->wait(patience))) {
    if (!end_nameless(s, owner, *call)) {
      engine_call::leave_behind(std::move(call));
      return std::nullopt;
    }
    call->judge_submit();
    call->release();
    return std::nullopt;
  }
  const bool early = !call->wait(pause);
  call->cancel();
  if (!call->wait(s.given().limit / 4)) {
    engine_call::leave_behind(std::move(call));
    s.fail(
        "a call that was cancelled does not end",
        "call on_done or on_error soon after cancel, from any thread; if submit blocks, let submit "
        "return");
    return std::nullopt;
  }
  call->cancel();  // the call may have ended already, which must do no harm
  call->judge_submit();
  call->release();
  return early;
}

// Reports how the calls ended. The author of the plugin must judge the ends for which the contract
// has no rule.
void look_at_ends(subject& s, const std::vector<std::unique_ptr<engine_call>>& calls) {
  const std::string mistake = "error " + std::to_string(IFB_E_INTERNAL) + " ";
  bool done = calls.empty();
  for (const auto& call : calls) {
    done = done || call->heard().done();
    for (const std::string& line : call->heard().lines()) {
      if (!line.starts_with(mistake)) continue;
      s.warn("a call ends with IFB_E_INTERNAL: " + line.substr(mistake.size()),
             "correct the mistake, or choose the code of the failure: IFB_E_IO, IFB_E_REMOTE, "
             "IFB_E_UNSUPPORTED");
      return;
    }
  }
  if (!done) s.note("no call ended with on_done");
}

}  // namespace

void check_engine_events(subject& s) {
  std::vector<std::unique_ptr<engine_call>> calls;  // the calls outlive the instance
  bool ended = true;
  {
    engine owner(s);
    for (const named_sample& shape : all_shapes()) {
      if (s.full() || s.late(0.4)) break;
      auto call = std::make_unique<engine_call>(s, owner.instance, shape.json);
      ended = call->wait(s.given().limit / 4);
      if (!ended) {
        call->cancel();
        ended = call->wait(s.given().limit / 4);
      }
      if (!ended) {
        engine_call::leave_behind(std::move(call));
        break;
      }
      call->judge_submit();
      call->release();
      calls.push_back(std::move(call));
    }
  }
  for (const auto& call : calls)
    call->judge_end();
  if (!ended) subject::skip("a call does not end: see the test engine-cancel");
  look_at_ends(s, calls);
}

void check_engine_cancel(subject& s) {
  bool any = false;
  // Cancels a call immediately, while it is in flight, and when it has usually ended. Only the last
  // case can distinguish a call that never ends from a long call.
  for (const milliseconds pause : {milliseconds(0), milliseconds(20), s.given().limit / 20}) {
    std::unique_ptr<engine_call> call;  // the call outlives the instance
    const std::optional<bool> early = cancel_one(s, pause, call);
    if (call != nullptr) call->judge_end();
    if (!early) return;
    any = any || *early;
  }
  if (!any) s.note("the calls were over before they could be cancelled");
}

}  // namespace inferbench::check
