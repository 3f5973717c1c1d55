#include "check/batch_attempt.hpp"

#include <algorithm>
#include <utility>

#include "check/batch_faults.hpp"
#include "check/batch_text.hpp"

namespace inferbench::check {

namespace {

bool any_unsupported(const ifb_batch_report& report) {
  for (const ifb_batch_result& each : results_of(report))
    if (each.status == IFB_E_UNSUPPORTED) return true;
  return false;
}

}  // namespace

batch_attempt try_batch(subject& s, batch_session& engine, const wanted_batch& wanted) {
  const batch_reply reply = engine.run(wanted);
  judge_reply(s, reply);
  if (reply.unsupported()) return {batch_attempt::end::refused, refusal(reply.status, reply.error)};
  if (!reply.ok()) {
    if (reply.status < 0)
      s.fail(wanted.name + ": " + reply.refusal(),
             "carry out the batch, or refuse it with IFB_E_UNSUPPORTED");
    return {batch_attempt::end::faulty};
  }
  bool sound = true;
  for (finding& fault :
       faults_of(engine.report(), wanted, reply.times, engine.loaded().clock_bound_ns)) {
    sound = sound && !fault.failure;
    // A warning is the same for all batches.
    if (fault.failure) fault.what = wanted.name + ": " + fault.what;
    s.add(std::move(fault));
  }
  if (!sound) return {batch_attempt::end::faulty};
  const std::string failed = first_failure(engine.report());
  if (failed.empty()) return {};
  if (any_unsupported(engine.report())) return {batch_attempt::end::refused, failed};
  s.fail(wanted.name + ": a sample fails, " + failed,
         "answer each sample of the kit, or refuse it with IFB_E_UNSUPPORTED");
  return {batch_attempt::end::faulty};
}

bool is_sound(const batch_session& engine, const wanted_batch& wanted, const batch_reply& reply) {
  return reply.ok() && std::ranges::none_of(faults_of(engine.report(), wanted, reply.times,
                                                      engine.loaded().clock_bound_ns),
                                            &finding::failure);
}

wanted_batch usable_batch(batch_session& engine) {
  for (const std::uint32_t mode : {IFB_BATCH_GENERATE, IFB_BATCH_CHAT, IFB_BATCH_BEAM_SEARCH}) {
    wanted_batch wanted = one_sample(mode);
    if (engine.run(wanted).unsupported()) continue;
    // The second run shows whether the engine runs again after any run at all.
    const batch_reply reply = engine.run(wanted);
    if (is_sound(engine, wanted, reply) && first_failure(engine.report()).empty()) return wanted;
    break;
  }
  subject::skip("a run fails: see the test batch-run");
}

batch_in_flight::batch_in_flight(std::shared_ptr<batch_engine_under_test> engine,
                                 wanted_batch wanted)
    : state_(std::make_shared<state>()) {
  state_->engine = std::move(engine);
  state_->wanted = std::move(wanted);
  thread_ = std::thread([shared = state_] {
    batch_reply reply;
    std::exception_ptr thrown;
    try {
      reply = shared->engine->session().run(shared->wanted);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(shared->mutex);
    shared->reply = std::move(reply);
    shared->thrown = thrown;
    shared->returned = true;
    shared->returns.notify_all();
  });
}

batch_in_flight::~batch_in_flight() {
  if (thread_.joinable()) thread_.join();
}

bool batch_in_flight::wait(std::chrono::milliseconds limit) {
  std::unique_lock lock(state_->mutex);
  return state_->returns.wait_for(lock, limit, [this] { return state_->returned; });
}

batch_reply batch_in_flight::answer() {
  thread_.join();
  if (state_->thrown) std::rethrow_exception(state_->thrown);
  return state_->reply;
}

void batch_in_flight::leave_behind(subject& s) {
  state_->engine->leave_behind();
  s.leave_behind();
  thread_.detach();
}

}  // namespace inferbench::check
