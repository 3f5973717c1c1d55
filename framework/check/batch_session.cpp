#include "check/batch_session.hpp"

#include "base/clock.hpp"
#include "check/raw_call.hpp"

namespace inferbench::check {

namespace {

plugin::batch_engine operations_of_batches(subject& s) {
  const void* const table = s.plugin().query(IFB_BATCH_ENGINE);
  if (table == nullptr) subject::skip("the plugin does not offer " IFB_BATCH_ENGINE);
  if (plugin::lack_of(IFB_BATCH_ENGINE, table))
    subject::skip("the plugin's table of " IFB_BATCH_ENGINE
                  " is incomplete: see the test interfaces");
  return plugin::complete<plugin::batch_engine>(*s.plugin().plugin, table);
}

// Calls `function` with these arguments and an error in lent memory.
template <typename function, typename... argument>
batch_reply asked(const char* name, const plugin::batch_engine& ops, lent_memory& memory,
                  function call, argument... arguments) {
  const base::monotonic_clock clock;
  ifb_error* const error = lend_error(memory);
  batch_reply out;
  out.call = name;
  out.times.before_ns = clock.now();
  out.status = raw_call(ops.plugin, name, call, arguments..., error);
  out.times.after_ns = clock.now();
  out.error = *error;
  return out;
}

// The struct that a call has filled, as this version knows it.
template <typename filled>
filled taken(const filled* from, std::uint32_t size, batch_reply& reply) {
  reply.resized = from->struct_size != size;
  filled out = *from;
  out.struct_size = sizeof out;
  return out;
}

}  // namespace

std::string batch_reply::refusal() const {
  return call + " fails: " + check::refusal(status, error);
}

batch_session::batch_session(subject& s, const instance_under_test& instance, lending how)
    : ops_(operations_of_batches(s)), self_(instance.get()), how_(how), calls_(how) {}

batch_reply batch_session::configure(std::string_view options_json) {
  ifb_engine_setup setup{};
  setup.options_json = calls_.text(options_json);
  const ifb_engine_setup* const lent = calls_.put(setup);
  batch_reply reply =
      asked("configure", ops_, calls_, ops_.ifb_batch_engine::configure, self_, lent);
  calls_.give_back();
  return reply;
}

batch_reply batch_session::load() {
  auto* const out = calls_.room<ifb_loaded_engine>();
  const std::uint32_t size = out->struct_size;
  batch_reply reply = asked("load", ops_, calls_, ops_.ifb_batch_engine::load, self_, out);
  loaded_ = taken(out, size, reply);
  calls_.give_back();
  return reply;
}

batch_reply batch_session::run(const wanted_batch& wanted) {
  take_back();
  borrowed& lent = *runs_.emplace_back(std::make_unique<borrowed>(how_));
  auto* const out = calls_.room<ifb_batch_report>();
  const std::uint32_t size = out->struct_size;
  // Some engines never take the id of a request twice.
  const ifb_batch* const batch =
      lend_batch(lent.inputs, wanted, "check-" + std::to_string(runs_.size()) + "-");
  batch_reply reply =
      asked("run", ops_, calls_, ops_.ifb_batch_engine::run, self_, batch, lent.room.handle(), out);
  report_ = taken(out, size, reply);
  calls_.give_back();
  return reply;
}

batch_reply batch_session::start_profile() {
  batch_reply reply =
      asked("start_profile", ops_, calls_, ops_.ifb_batch_engine::start_profile, self_);
  calls_.give_back();
  return reply;
}

batch_reply batch_session::stop_profile() {
  batch_reply reply =
      asked("stop_profile", ops_, calls_, ops_.ifb_batch_engine::stop_profile, self_);
  calls_.give_back();
  return reply;
}

void batch_session::take_back() noexcept {
  if (runs_.empty()) return;
  runs_.back()->inputs.give_back();
  runs_.back()->room.close();
}

void batch_session::cancel() const { ops_.cancel(self_); }

batch_engine_under_test::batch_engine_under_test(subject& s, lending how)
    : on_({.memory = how}), instance_(s, on_, s.values(), how) {
  need(instance_);
  session_ = std::make_unique<batch_session>(s, instance_, how);
}

batch_reply load_or_skip(batch_session& engine) {
  batch_reply reply = engine.load();
  if (!reply.ok()) subject::skip("load refuses: see the test batch-load");
  return reply;
}

void judge_reply(subject& s, const batch_reply& reply) {
  judge_refusal(s, reply.call, reply.status, reply.error);
  if (reply.resized)
    s.fail(reply.call + " changes the struct_size of the struct that it fills in",
           "leave struct_size as the host set it (rule R3 in abi.h)");
}

}  // namespace inferbench::check
