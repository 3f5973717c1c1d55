// Engines: calls that end once, and soon when they are told to.
#include <memory>
#include <thread>

#include "check/engine_call.hpp"
#include "check/made.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

using std::chrono::milliseconds;

struct engine {
  explicit engine(subject& s) : on({}), instance(s, on, s.values()) { need(instance); }

  host on;
  made instance;
};

// Ends a call that blocks and has no name: all that is left is that the run is being stopped.
// False where that ends it neither.
bool end_nameless(subject& s, engine& owner, engine_call& call) {
  owner.on.cancel();
  if (!call.wait(s.given().limit / 2)) {
    s.fail("while submit blocks there is no call to cancel, and the end of the run ends it neither",
           "set *out before the request is performed, with release order, and end it soon after "
           "cancel");
    return false;
  }
  s.warn("while submit blocks there is no call to cancel: only the end of the run ends it",
         "set *out before the request is performed, with release order");
  return true;
}

}  // namespace

void check_engine_events(subject& s) {
  engine owner(s);
  for (const named_sample& shape : all_shapes()) {
    if (s.full() || s.late(0.4)) return;
    auto call = std::make_unique<engine_call>(s, owner.instance, shape.json);
    const bool ended = call->wait(s.given().limit / 4);
    if (!ended) call->cancel();
    if (!ended && !call->wait(s.given().limit / 4)) {
      engine_call::leave_behind(std::move(call));
      subject::skip("a call does not end: see the test engine-cancel");
    }
    call->judge();
  }
}

void check_engine_cancel(subject& s) {
  bool any = false;
  // As soon as there is a call, and when it is under way.
  for (const milliseconds pause : {milliseconds(0), milliseconds(20)}) {
    engine owner(s);
    auto call = std::make_unique<engine_call>(s, owner.instance, all_shapes().front().json);
    if (!call->wait_for_name(s.given().limit / 8)) {
      if (end_nameless(s, owner, *call))
        call->judge();
      else
        engine_call::leave_behind(std::move(call));
      return;
    }
    std::this_thread::sleep_for(pause);
    const bool early = !call->wait(milliseconds(0));
    any = any || early;
    call->cancel();
    if (!call->wait(s.given().limit / 4)) {
      engine_call::leave_behind(std::move(call));
      s.fail("a call that was cancelled does not end",
             "call on_done or on_error soon after cancel, from any thread; where submit blocks let "
             "it return");
      return;
    }
    call->cancel();  // may come late, too
    call->judge();
  }
  if (!any) s.note("its calls were over before they could be cancelled");
}

}  // namespace inferbench::check
