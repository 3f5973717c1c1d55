// The tests of the conformance kit for engines of the draft inferbench.batch-engine: load, runs,
// abilities, and values that the draft does not have.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "check/batch_attempt.hpp"
#include "check/batch_faults.hpp"
#include "check/batch_text.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

constexpr std::uint32_t all_abilities = IFB_BATCH_ENGINE_CHAT | IFB_BATCH_ENGINE_BEAM_SEARCH |
                                        IFB_BATCH_ENGINE_ASYNC | IFB_BATCH_ENGINE_PREQUEUE |
                                        IFB_BATCH_ENGINE_ADAPTERS;

void judge_batch_table(subject& s) {
  const auto* const table =
      static_cast<const ifb_batch_engine*>(s.plugin().query(IFB_BATCH_ENGINE));
  if ((table->flags & ~all_abilities) != 0)
    s.warn(fmt::format("the flags {:#x} of the table have bits that the draft does not have",
                       table->flags),
           "combine the values of ifb_batch_engine_flag");
  if ((table->start_profile == nullptr) != (table->stop_profile == nullptr))
    s.fail(std::string("the table has ") + (table->start_profile == nullptr
                                                ? "stop_profile and no start_profile"
                                                : "start_profile and no stop_profile"),
           "fill in both functions, or neither");
}

// Configures the engine as a command without engine options does. Returns false after a failure.
bool configure_nothing(subject& s, batch_session& engine) {
  const batch_reply reply = engine.configure({});
  if (reply.unsupported()) return true;  // configure is optional
  judge_reply(s, reply);
  if (reply.ok()) return true;
  s.fail("without options and environment " + reply.refusal(),
         "take empty settings, or leave configure out");
  return false;
}

// The batches of the test batch-run. `usable`: a batch that the engine has carried out; it comes
// again at the end, so that the engine is tried after all other batches.
std::vector<wanted_batch> batches_of(const wanted_batch& usable) {
  const bool chats = usable.mode == IFB_BATCH_CHAT;
  const wanted_sample first = chats ? chat_sample() : text_sample();
  const wanted_sample second = chats ? chat_sample() : ids_sample();
  wanted_batch several = usable;
  several.name = "a batch of 3 samples";
  several.samples = {first, second, first};
  several.flags = IFB_BATCH_STAMPS;
  several.max_tokens = -1;
  wanted_batch silent = several;
  silent.name = "a batch without text";
  silent.flags = IFB_BATCH_NO_TEXT;
  silent.max_tokens = 1;
  wanted_batch twice = several;
  twice.name = "a batch with 2 outputs for each sample";
  twice.n = 2;
  return {usable, several, silent, twice, usable};
}

struct ability {
  const char* name;
  std::uint32_t flag;         // ifb_batch_engine_flag
  std::uint32_t mode;         // the mode that needs the ability; 0: the mode of the usable batch
  std::uint32_t batch_flags;  // the ifb_batch_flag bits that need the ability
  std::uint32_t adapter;      // number of the adapter; 0: the model itself
};

constexpr ability abilities[] = {
    {"IFB_BATCH_ENGINE_CHAT", IFB_BATCH_ENGINE_CHAT, IFB_BATCH_CHAT, 0, 0},
    {"IFB_BATCH_ENGINE_BEAM_SEARCH", IFB_BATCH_ENGINE_BEAM_SEARCH, IFB_BATCH_BEAM_SEARCH, 0, 0},
    {"IFB_BATCH_ENGINE_ASYNC", IFB_BATCH_ENGINE_ASYNC, 0, IFB_BATCH_ASYNC | IFB_BATCH_STAMPS, 0},
    {"IFB_BATCH_ENGINE_PREQUEUE", IFB_BATCH_ENGINE_PREQUEUE, 0, IFB_BATCH_PREQUEUE, 0},
    {"IFB_BATCH_ENGINE_ADAPTERS", IFB_BATCH_ENGINE_ADAPTERS, 0, 0, 1},
};

// A batch that only an engine with the ability may carry out.
wanted_batch batch_for(const ability& which, const wanted_batch& usable) {
  wanted_batch out = which.mode == 0 ? usable : one_sample(which.mode);
  out.flags |= which.batch_flags;
  if (which.batch_flags != 0)
    out.name = (which.batch_flags & IFB_BATCH_ASYNC) != 0 ? "an asynchronous batch"
                                                          : "a batch that is queued first";
  if (which.adapter != 0) out.name = "a batch with an adapter";
  out.samples.front().adapter = which.adapter;
  if (which.flag != IFB_BATCH_ENGINE_ADAPTERS) out.samples.push_back(out.samples.front());
  return out;
}

// Runs a batch that needs an announced ability. Appends the name of the batch to `refused` if the
// engine refuses it.
void try_announced(subject& s, batch_session& engine, const ability& which,
                   const wanted_batch& usable, std::vector<std::string>& refused) {
  const wanted_batch wanted = batch_for(which, usable);
  if (which.adapter == 0) {
    if (try_batch(s, engine, wanted).refused()) refused.push_back(wanted.name);
    return;
  }
  // The kit has no adapter that the engine could load, so the engine may refuse the batch with any
  // status.
  if (engine.loaded().max_adapters == 0) return;
  const batch_reply reply = engine.run(wanted);
  judge_reply(s, reply);
  if (!reply.ok()) return;
  for (finding& fault :
       faults_of(engine.report(), wanted, reply.times, engine.loaded().clock_bound_ns))
    s.add({fault.failure, wanted.name + ": " + fault.what, std::move(fault.remedy)});
}

// Runs a batch that needs an ability which the table does not announce. The engine must refuse it.
void try_unannounced(subject& s, batch_session& engine, const ability& which,
                     const wanted_batch& usable) {
  const wanted_batch wanted = batch_for(which, usable);
  const batch_reply reply = engine.run(wanted);
  judge_reply(s, reply);
  if (!is_sound(engine, wanted, reply) || !first_failure(engine.report()).empty()) return;
  const std::string what = wanted.name + " is carried out, but the table is without " + which.name;
  const std::string remedy =
      "announce the ability, or refuse such a batch with IFB_E_UNSUPPORTED: the run would measure "
      "something else";
  // A failure for a mode, because the contract demands that the engine refuses it. Otherwise only a
  // warning, because the host does not pass flags and adapters that the table does not announce.
  s.add({which.mode != 0, what, remedy});
}

}  // namespace

void check_batch_load(subject& s) {
  {
    // If another option of the command is wrong, the host destroys the engine without loading it.
    // This block does the same.
    batch_engine_under_test idle(s);
    judge_batch_table(s);
    idle.session().cancel();
    if (!configure_nothing(s, idle.session())) return;
  }
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  static_cast<void>(engine.configure({}));
  const batch_reply reply = engine.load();
  judge_reply(s, reply);
  if (reply.ok()) {
    std::vector<finding> faults = faults_of(engine.loaded(), reply.times);
    if (faults.empty() && engine.loaded().description.size != 0)
      s.note(std::string(ifb::view(engine.loaded().description)));
    for (finding& fault : faults)
      s.add(std::move(fault));
    return;
  }
  if (reply.status == IFB_E_CONFIG && s.given().settings.empty())
    subject::skip("load refuses the defaults: " + refusal(reply.status, reply.error) +
                  "; give the options that the engine needs with --set OPTION=VALUE");
  s.fail(reply.refusal(),
         "let load succeed with the values that --set gives, or with the defaults");
}

void check_batch_run(subject& s) {
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  load_or_skip(engine);
  wanted_batch usable = one_sample();
  batch_attempt first = try_batch(s, engine, usable);
  for (const std::uint32_t mode : {IFB_BATCH_CHAT, IFB_BATCH_BEAM_SEARCH}) {
    if (!first.refused()) break;
    usable = one_sample(mode);
    first = try_batch(s, engine, usable);
  }
  if (first.refused())
    s.fail("the engine refuses prompts, chats and beam searches: " + first.reason,
           "carry out at least one mode of ifb_batch_mode");
  // The other batches are prompts or chats, which an engine with beam search only refuses.
  if (!first.sound() || usable.mode == IFB_BATCH_BEAM_SEARCH) return;
  for (const wanted_batch& wanted : batches_of(usable)) {
    if (s.late(0.8)) return;
    const batch_attempt next = try_batch(s, engine, wanted);
    // After a fault the engine may be unusable, and further findings would mislead.
    if (next.how == batch_attempt::end::faulty) return;
    if (next.refused()) s.note(wanted.name + " is refused: " + next.reason);
  }
}

void check_batch_abilities(subject& s) {
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  load_or_skip(engine);
  const wanted_batch usable = usable_batch(engine);
  std::vector<std::string> refused;
  for (const bool announced : {true, false})
    for (const ability& each : abilities) {
      if (s.full() || s.late(0.8)) return;
      if (engine.can(each.flag) != announced) continue;
      if (announced)
        try_announced(s, engine, each, usable, refused);
      else
        try_unannounced(s, engine, each, usable);
    }
  // Only a note, because the flags are in the plugin's table, and the options of the plugin may
  // choose an engine with fewer abilities.
  if (!refused.empty()) s.note(fmt::format("refused: {}", fmt::join(refused, ", ")));
}

void check_batch_unknown(subject& s) {
  // Later versions of the draft may have further modes. Mode 77 stands for any of them.
  constexpr std::uint32_t later_mode = 77;
  batch_engine_under_test owner(s);
  batch_session& engine = owner.session();
  load_or_skip(engine);
  const wanted_batch usable = usable_batch(engine);
  wanted_batch later = usable;
  later.mode = later_mode;
  const batch_reply reply = engine.run(later);
  judge_reply(s, reply);
  if (!reply.unsupported())
    s.fail("run answers a batch of mode 77, which the draft does not have, with " +
               refusal(reply.status, reply.error),
           "refuse modes that you do not know with IFB_E_UNSUPPORTED");
  constexpr std::array strange = {
      std::pair("a prompt of shape 99", R"({"shape": 99, "prompt": ["hi"], "output_tokens": 2})"),
      std::pair("a part of kind 99", R"({"shape": "parts", "prompt": ["hi", {"kind": 99, "data":
                                         "x"}], "output_tokens": 2})")};
  for (const auto& [has, json] : strange) {
    wanted_batch wanted = usable;
    wanted.samples = {{json, -1, 2}};
    const batch_reply answered = engine.run(wanted);
    judge_reply(s, answered);
    if (!is_sound(engine, wanted, answered) || !first_failure(engine.report()).empty()) continue;
    s.fail(std::string("the engine answers a sample with ") + has + ", which abi.h does not have",
           "fail such a sample, or the batch, with IFB_E_UNSUPPORTED: it measures another prompt");
  }
  if (const batch_reply after = engine.run(usable); !after.ok())
    s.fail("after a batch that it has refused, " + after.refusal(),
           "refuse a batch before it reaches the engine, and leave the engine as it is");
}

}  // namespace inferbench::check
