// Tests of engines of the draft inferbench.batch-engine: cancellation, profiles, settings, and
// memory.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "check/batch_attempt.hpp"
#include "check/batch_faults.hpp"
#include "check/batch_text.hpp"
#include "check/exercise.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

using std::chrono::milliseconds;
using steady_time = std::chrono::steady_clock::time_point;

// A batch that keeps an engine busy for a while, if the engine needs any time for a token.
wanted_batch long_batch(const wanted_batch& usable, const ifb_loaded_engine& engine) {
  constexpr std::size_t samples = 64;
  constexpr std::int64_t prompt = 16;
  constexpr std::int64_t most = 512;
  wanted_batch out = usable;
  out.name = "a long batch";
  out.samples.assign(samples, usable.samples.front());
  if (engine.max_model_len >= 0)
    out.max_tokens = std::clamp<std::int64_t>(engine.max_model_len - prompt, 1, most);
  else
    out.max_tokens = most;
  return out;
}

// A cancel outside of a run must not cancel the next run.
bool cancel_idle(subject& s, batch_session& engine, const wanted_batch& usable) {
  engine.cancel();
  const batch_reply reply = engine.run(usable);
  judge_reply(s, reply);
  if (reply.ok()) return true;
  s.fail("after a cancel between two runs, " + reply.refusal(),
         "let cancel act on the run in progress only: forget it when a run begins");
  return false;
}

// Cancels a long run after `pause`. Returns whether the run was in progress, or nullopt if the
// engine is not usable any more.
std::optional<bool> cancel_batch(subject& s, const std::shared_ptr<batch_engine_under_test>& owner,
                                 const wanted_batch& usable, milliseconds pause) {
  // A first cancel may come right before the run begins, so it is repeated.
  constexpr milliseconds again{20};
  constexpr milliseconds soon{1000};
  batch_session& engine = owner->session();
  batch_in_flight flight(owner, long_batch(usable, engine.loaded()));
  const bool early = !flight.wait(pause);
  const steady_time began = std::chrono::steady_clock::now();
  const auto since = [&] {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began);
  };
  for (engine.cancel(); !flight.wait(again); engine.cancel()) {
    if (since() < s.given().limit * 3 / 5) continue;
    flight.leave_behind(s);
    s.fail("a run that was cancelled does not return",
           "look for a cancel between the steps of the engine, and answer with IFB_E_CANCELLED");
    return std::nullopt;
  }
  const milliseconds took = since();
  const batch_reply reply = flight.answer();
  judge_reply(s, reply);
  if (took > soon)
    s.warn(fmt::format("a run that was cancelled returned after {:.1f} s",
                       static_cast<double>(took.count()) / 1e3),
           "look for a cancel between the steps of the engine");
  if (!reply.ok() && reply.status != IFB_E_CANCELLED)
    s.fail("when it is cancelled, " + reply.refusal(),
           "answer a run that was cancelled with IFB_E_CANCELLED");
  if (s.full()) return std::nullopt;
  const batch_reply after = engine.run(usable);
  judge_reply(s, after);
  if (after.ok()) return early && !reply.ok();
  s.note("after a cancelled run the engine does not run again: " +
         refusal(after.status, after.error));
  return std::nullopt;
}

constexpr const char* unknown_option = "inferbench_check_unknown";

// Overwrites the stack below the caller, where local variables of the plugin were.
[[gnu::noinline]] void overwrite_stack() {
  volatile char below[16'384];
  for (volatile char& each : below)
    each = 0x5A;
}

void check_results_stay(subject& s, batch_session& engine, const wanted_batch& wanted) {
  const batch_reply reply = engine.run(wanted);
  if (!is_sound(engine, wanted, reply)) subject::skip("a run fails: see the test batch-run");
  const std::string before = text_of(engine.report());
  overwrite_stack();
  if (text_of(engine.report()) != before)
    s.fail("the contents of the report change before the next run",
           "keep results in the arena or in the instance until the next run or destroy");
}

}  // namespace

void check_batch_cancel(subject& s) {
  const auto owner = std::make_shared<batch_engine_under_test>(s);
  batch_session& engine = owner->session();
  load_or_skip(engine);
  const wanted_batch usable = usable_batch(engine);
  if (!cancel_idle(s, engine, usable)) return;
  bool any = false;
  for (const milliseconds pause : {milliseconds(0), milliseconds(20), s.given().limit / 20}) {
    if (s.late(0.3)) break;
    const std::optional<bool> early = cancel_batch(s, owner, usable, pause);
    if (!early) return;
    any = any || *early;
  }
  if (!any) s.note("the runs were over before they could be cancelled");
}

void check_batch_profile(subject& s) {
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  load_or_skip(engine);
  const wanted_batch usable = usable_batch(engine);
  const auto profiled = [&](const batch_reply& reply) {
    judge_reply(s, reply);
    if (reply.ok()) return true;
    if (reply.unsupported())
      s.note(refusal(reply.status, reply.error));
    else
      s.fail(reply.refusal(),
             "start and stop the profiler around a run, or leave out both "
             "functions");
    return false;
  };
  if (engine.operations().profiles && profiled(engine.start_profile())) {
    try_batch(s, engine, usable);
    static_cast<void>(profiled(engine.stop_profile()));
  }
  wanted_batch within = usable;
  within.name = "a batch with IFB_BATCH_PROFILE";
  within.flags = IFB_BATCH_PROFILE;
  if (engine.loaded().profiler.size != 0) {
    if (const batch_attempt refused = try_batch(s, engine, within); refused.refused())
      s.note(within.name + " is refused: " + refused.reason);
    return;
  }
  const batch_reply reply = engine.run(within);
  judge_reply(s, reply);
  if (reply.ok())
    s.warn("run takes IFB_BATCH_PROFILE, but load names no profiler",
           "name the profiler in ifb_loaded_engine, or refuse the flag with IFB_E_UNSUPPORTED");
}

void check_batch_configure(subject& s) {
  {
    batch_engine_under_test usual(s);
    load_or_skip(usual.session());
  }
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  batch_reply reply = engine.configure(fmt::format("{{\"{}\": 1}}", unknown_option));
  if (reply.unsupported())
    subject::skip("the engine takes no options from a command: " +
                  refusal(reply.status, reply.error));
  judge_reply(s, reply);
  if (reply.ok()) {
    reply = engine.load();
    judge_reply(s, reply);
  }
  if (reply.ok())
    s.warn(
        std::string("the engine takes the option ") + unknown_option + ", which it cannot know",
        "refuse an unknown option with IFB_E_CONFIG and its name: a misspelt option would change "
        "the run silently");
  else if (refusal(reply.status, reply.error).find(unknown_option) == std::string::npos)
    s.fail(std::string("an unknown option is refused without its name, ") + unknown_option + ": " +
               refusal(reply.status, reply.error),
           "name the option in ifb_error.message");
}

void check_batch_memory(subject& s) {
  for (const lending how : {lending{.pages = true}, lending{.tail = 64, .filling = 0xA5}}) {
    batch_engine_under_test owner(s, how);
    batch_session& engine = owner.session();
    const batch_reply loaded = load_or_skip(engine);
    if (std::ranges::any_of(faults_of(engine.loaded(), loaded.times), &finding::failure))
      subject::skip("the figures of load have faults: see the test batch-load");
    const std::string figures = text_of(engine.loaded());
    wanted_batch wanted = usable_batch(engine);
    wanted.samples.push_back(wanted.samples.front());
    wanted.flags = IFB_BATCH_STAMPS;
    check_results_stay(s, engine, wanted);
    wanted.samples.resize(1);
    wanted.flags = 0;
    check_results_stay(s, engine, wanted);
    if (text_of(engine.loaded()) != figures)
      s.fail("the figures of load change after load",
             "keep texts and measures of ifb_loaded_engine in the instance");
    engine.take_back();
    if (s.full() || s.late()) return;
  }
}

std::vector<std::string> exercise_batches(subject& s, instance_under_test& instance,
                                          const effort& how) {
  if (s.late(0.6)) throw too_slow{{"loading takes too long to be done again and again"}};
  std::vector<std::string> out;
  batch_session engine(s, instance, how.memory);
  const auto heard = [&](const std::string& name, const batch_reply& reply) {
    if (how.judging) judge_reply(s, reply);
    out.push_back(name + " " + name_of_status(reply.status));
    return reply.ok();
  };
  static_cast<void>(heard("configure", engine.configure({})));
  const batch_reply loaded = engine.load();
  if (!heard("load", loaded)) return out;
  for (const std::uint32_t mode : {IFB_BATCH_GENERATE, IFB_BATCH_CHAT}) {
    if (mode == IFB_BATCH_CHAT && !engine.can(IFB_BATCH_ENGINE_CHAT)) continue;
    wanted_batch wanted = one_sample(mode);
    wanted.samples.push_back(wanted.samples.front());
    const batch_reply reply = engine.run(wanted);
    if (!heard("run of " + wanted.name, reply)) continue;
    // The test batch-run reports the faults.
    if (!is_sound(engine, wanted, reply)) break;
    static_cast<void>(text_of(engine.report()));
    for (const ifb_batch_result& each : results_of(engine.report()))
      out.push_back(fmt::format("a result with {} and {} outputs", name_of_status(each.status),
                                each.output_count));
  }
  engine.take_back();
  return out;
}

}  // namespace inferbench::check
