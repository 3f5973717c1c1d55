#include "run/prepared.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "client/exchange.hpp"
#include "run/pacing.hpp"

namespace inferbench::run {

namespace {

// Samples that wait for a worker: enough for a burst, little against memory.
constexpr std::size_t usual_samples_ahead = 256;

// Where the server has to be asked about each prompt it is done before the traffic, as
// upstream does; of very long runs the rest meanwhile.
constexpr std::size_t aligned_samples_ahead = 4096;

}  // namespace

prepared::prepared(config::plan given, const base::clock& with_clock, base::log& with_log,
                   std::FILE* out)
    : plan(std::move(given)),
      clock(with_clock),
      log(with_log),
      host(plan, with_clock, with_log, out) {
  settle_model();
  host.create_tokenizer(plan);
  backend = plan.backend.create(host.services());
  data = plan.dataset.create(host.services());
  make_protocol();
  for (const transport::endpoint& one : host.server().endpoints())
    if (!one.proxy.empty()) log.info(one.where.text() + " is asked through the proxy " + one.proxy);

  // With a ready check the server may still be coming up.
  if (plan.ready_check_timeout_ns == 0) host.server().check_reachable();

  samples.emplace(*data,
                  dataset::settings{plan.num_prompts, plan.seed, plan.shuffle, plan.oversample,
                                    plan.request_id_prefix},
                  log);
  plan.dataset.call([this] { samples->prepare(); });
  try_first_sample();
  make_schedule();
  adapters.emplace(plan.lora_modules, plan.lora_round_robin, plan.seed, samples->total());
}

// The feeding thread asks align_ and adapters, which go before the feed.
prepared::~prepared() {
  if (samples) samples->stop();
}

/// Settles what the model is called, asking the server if the user did not say, and
/// tells the plugins that want to know.
void prepared::settle_model() {
  found.model_id = plan.model;
  found.payload_model = plan.served_model.empty() ? plan.model : plan.served_model;
  if (plan.model.empty()) {
    host.out().line("Model not specified, fetching first model from server...");
    const target::model first = host.server().discover_model();
    found.payload_model = first.id;
    found.model_id = first.root;
    host.out().line(fmt::format("First model name: {}, first model id: {}", first.id, first.root));
  }
  plan.backend.set_text("model", found.payload_model);
  if (!plan.tokenizer) return;
  found.tokenizer_id = plan.tokenizer_id.empty() ? found.model_id : plan.tokenizer_id;
  const auto tell = [&](config::plugin_choice& one) {
    one.set_text("model", found.payload_model);
    if (one.find("path") == nullptr) one.set_text("path", found.tokenizer_id);
  };
  tell(*plan.tokenizer);
  std::ranges::for_each(plan.tokenizers_after, tell);
}

void prepared::make_protocol() {
  protocol.instance = backend->get();
  protocol.codec = plugin::codec_of(*backend);
  for (const transport::endpoint& one : host.server().endpoints())
    protocol.servers.push_back(&one);
  protocol.headers = host.server().headers();
  protocol.connect_timeout_ns = plan.server.connect_timeout_ns;
  protocol.first_byte_timeout_ns = plan.server.first_byte_timeout_ns;
  protocol.idle_timeout_ns = plan.server.idle_timeout_ns;
  protocol.request_timeout_ns = plan.server.request_timeout_ns;
  protocol.stall_warning_ns = plan.server.stall_warning_ns;
  protocol.max_message = plan.server.max_message;
  protocol.max_answer = plan.server.max_answer;
  found.pooling = (protocol.codec.flags & IFB_CODEC_POOLING) != 0;
}

void prepared::make_schedule() {
  if (plan.load.self_timed && (samples->flags() & IFB_DATASET_ARRIVALS) == 0)
    throw base::error(fmt::format("the dataset {} has no times of its own", plan.dataset_name),
                      "leave it out, or choose a dataset of traces",
                      {*plan.load.self_timed ? "--self-timed" : "--no-self-timed"});
  found.self_timed = self_timed(plan, samples->flags());
  if (found.self_timed) return;
  const schedule::pace pace = pace_of(plan);
  due = schedule::due_times(pace, samples->total());
  if (pace.growth) rate_changes = schedule::rate_changes(*pace.growth, due);
}

/// A backend that cannot carry one sample cannot, as a rule, carry any: better said now
/// than by as many failed requests, or as a server that is not ready.
void prepared::try_first_sample() const {
  client::head_writer heads(protocol);
  client::exchange trial(protocol, heads);
  if (trial.prepare(samples->first().c, 0, 0)) return;
  throw base::error(fmt::format("the backend {} cannot send what the dataset {} yields: {}",
                                plan.backend.use, plan.dataset_name, trial.finish().error));
}

void prepared::rehearse(interrupt& signals) {
  const rehearsal with{plan, protocol, clock, signals, log, host.out()};
  check_readiness(with, samples->first());
  if (plan.align_prompts && (samples->flags() & IFB_DATASET_SYNTHETIC) != 0) {
    align_.emplace(host.server(), found.payload_model, log, [&signals] { return signals.came(); });
    if (align_->needed_after(samples->first()))
      samples->pass_through(
          [this](std::span<const dataset::sample_ptr> some) { align_->align(some); },
          alignment::at_once);
    else
      align_.reset();
    signals.end_set_up();
  }
  warm_up(with, samples->first());
}

std::size_t prepared::samples_ahead() const noexcept {
  if (!align_) return usual_samples_ahead;
  return std::min<std::uint64_t>(samples->total(), aligned_samples_ahead);
}

}  // namespace inferbench::run
