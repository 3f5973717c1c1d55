#include "run/prepared.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/units.hpp"
#include "client/exchange.hpp"
#include "client/large_sample.hpp"
#include "config/upstream.hpp"
#include "run/conversation_clients.hpp"
#include "run/conversation_settings.hpp"
#include "run/conversations.hpp"
#include "run/engine_load.hpp"
#include "run/first_turns.hpp"
#include "run/pacing.hpp"
#include "run/traffic.hpp"
#include "services/loaded_dataset.hpp"

namespace inferbench::run {

namespace {

// The usual number of prefetched samples: enough for a short delay of the dataset, and little
// memory.
constexpr std::size_t usual_samples_ahead = 256;

// Memory of the state of a request, without its sample and its body.
constexpr std::size_t bytes_of_request = std::size_t{16} << 10U;

// Upper estimate of the time to serialise a request: a constant, and a time for each byte of its
// sample.
constexpr std::uint64_t request_ns = 20 * base::ns_per_us;
constexpr std::uint64_t byte_ns = 5;

// If the server has to count the tokens of each prompt, this number of prompts is counted before
// the traffic, and the rest during the traffic. Upstream counts all prompts before the traffic.
constexpr std::size_t aligned_samples_ahead = 4096;
constexpr std::size_t aligned_bytes_ahead = std::size_t{256} << 20U;

}  // namespace

prepared::prepared(config::plan given, const base::clock& with_clock, base::log& with_log,
                   base::output& out)
    : plan(std::move(given)),
      clock(with_clock),
      log(with_log),
      host(plan.server, plan.seed, with_clock, with_log, out),
      about(description_of(plan)) {
  settle();
  backend = chosen.backend.create(host.services());
  data = plan.dataset.create(host.services());
  if (plan.scorer) scorer = plan.scorer->create(host.services());
  make_protocol();
  for (const transport::endpoint* one : protocol.servers)
    if (!one->proxy.empty())
      log.info(one->where.text() + " is asked through the proxy " + one->proxy);

  // If there is a ready check, the server may still be starting, so it need not be reachable yet.
  if (!protocol.engine && plan.preparation.ready_check_timeout_ns == 0 && !plan.dry_run)
    host.server().check_reachable();

  samples.emplace(*data, services::sample_settings(plan), log);
  plan.dataset.call([this] { samples->prepare(); });
  if (protocol.engine)
    tell_of_threads();
  else
    try_first_sample();
  tell_of_templates();
  make_schedule();
  adapters.emplace(plan.lora_modules, plan.lora_round_robin, plan.seed);
}

// The feeding thread uses align_, caches and adapters, which are destroyed before the feed: stop
// the feed first.
prepared::~prepared() {
  if (samples) samples->stop();
}

/// Determines the names of the model, passes them to the backend, and creates the tokenizer. If the
/// user gave no model, the server is queried. An engine may work without a model.
void prepared::settle() {
  const bool engine = plugin::is_engine(plan.backend.library);
  about.model_id = plan.model;
  chosen.model = plan.served_model.empty() ? plan.model : plan.served_model;
  if (plan.model.empty() && !engine) {
    host.out().line("Model not specified, fetching first model from server...");
    const services::target::model first = host.server().discover_model();
    chosen.model = first.id;
    about.model_id = first.root;
    host.out().line(fmt::format("First model name: {}, first model id: {}", first.id, first.root));
  }
  const auto told = [](options::plugin_choice one, std::string_view option,
                       const std::string& text) {
    if (!text.empty()) one.set_text(option, text);
    return one;
  };
  chosen.backend = told(plan.backend, "model", chosen.model);
  for (const ifb_option* one : plan.backend.library.options())
    if (chosen.model.empty() && (one->flags & IFB_OPT_REQUIRED) != 0 &&
        std::string_view(one->name) == "model")
      throw base::error(fmt::format("backend {} needs a model", plan.backend.use),
                        "name it with --model");
  if (!plan.tokenizer) return;
  const std::string& files = plan.tokenizer_id.empty() ? about.model_id : plan.tokenizer_id;
  const auto told_both = [&](const options::plugin_choice& one) {
    options::plugin_choice out = told(one, "model", chosen.model);
    return out.find("path") == nullptr ? told(std::move(out), "path", files) : out;
  };
  // The id must not be empty, so that results report that the client counts tokens.
  about.tokenizer_id = files.empty() ? plan.tokenizer->use : files;
  std::vector<options::plugin_choice> after;
  for (const options::plugin_choice& one : plan.tokenizers_after)
    // The last fallback is the tokenizer of the server; an engine has no server.
    if (!engine || one.use != config::upstream::server_tokenizer) after.push_back(told_both(one));
  chosen.tokenizer = host.create_tokenizer(told_both(*plan.tokenizer), std::move(after),
                                           !plan.tokenizer_id.empty());
}

void prepared::make_protocol() {
  protocol.instance = backend->get();
  if (plugin::is_engine(plan.backend.library)) {
    if (plan.preparation.profile)
      throw base::error(fmt::format("backend {} has no server to be profiled", plan.backend.use),
                        "leave it out", {"--profile"});
    protocol.engine.emplace().ops = plugin::engine_of(*backend);
  } else {
    protocol.codec = plugin::codec_of(*backend);
    for (const transport::endpoint& one : host.server().endpoints())
      protocol.servers.push_back(&one);
  }
  // A codec that authenticates its requests itself gets the user's headers without the API key.
  protocol.headers = protocol.codec.authorizes() ? plan.server.headers : host.server().headers();
  protocol.session_header = plan.load.session_header;
  protocol.connect_timeout_ns = plan.server.connect_timeout_ns;
  protocol.first_byte_timeout_ns = plan.server.first_byte_timeout_ns;
  protocol.idle_timeout_ns = plan.server.idle_timeout_ns;
  protocol.request_timeout_ns = plan.server.request_timeout_ns;
  protocol.stall_warning_ns = plan.server.stall_warning_ns;
  protocol.max_message = plan.server.max_message;
  protocol.max_answer = plan.server.max_answer;
  about.pooling = (protocol.codec.flags & IFB_CODEC_POOLING) != 0;
}

void prepared::make_schedule() {
  if (plan.load.self_timed && (samples->flags() & IFB_DATASET_ARRIVALS) == 0)
    throw base::error(fmt::format("the dataset {} has no times of its own", plan.dataset_name),
                      "leave it out, or choose a dataset of traces",
                      {*plan.load.self_timed ? "--self-timed" : "--no-self-timed"});
  if (!samples->conversations()) require_conversations(plan);
  describe_schedule(plan.load.traffic, self_timed(plan.load, samples->flags()), about);
  // The number of requests of a schedule that ends at a time is not known before the run.
  about.planned = plan.load.ends() ? 0 : static_cast<std::int64_t>(samples->requests());
  if (about.self_timed) {
    refuse_empty_time(
        static_cast<std::uint64_t>(std::max<std::int64_t>(samples->first().c.arrival_ns, 0)));
    const bool pattern = !schedule::own_text(plan.load.traffic).empty();
    if (pattern || schedule::paced(plan.load.traffic))
      log.warning(
          fmt::format("{} has no effect: the dataset {} has times of its own; "
                      "--no-self-timed ignores these times",
                      pattern ? "--traffic" : "the request rate", plan.dataset_name));
    return;
  }
  const schedule::pace pace = pace_of(plan.load, plan.seed);
  if (!samples->endless())
    due = schedule::due_times(pace, samples->requests());
  else if (schedule::paced(pace.traffic) || plan.load.max_concurrency)
    due = schedule::timetable::without_end(pace);
  else
    throw base::error(
        fmt::format("an infinite rate for {} makes requests without end",
                    base::duration_text(static_cast<std::int64_t>(plan.load.duration_ns))),
        "limit those in flight with --max-concurrency, their rate with --request-rate, or their "
        "number with --num-prompts",
        {"--duration"});
  rate_changes = schedule::rate_changes(pace.traffic, due.times());
  refuse_empty_time(schedule::timetable_walk(due).at(0));
}

/// Throws base::error if the first request is not due before the run ends.
void prepared::refuse_empty_time(std::uint64_t first_ns) const {
  if (!plan.load.ends() || first_ns < plan.load.duration_ns) return;
  const auto text = [](std::uint64_t ns) {
    return base::duration_text(static_cast<std::int64_t>(ns));
  };
  // Rounded up to whole milliseconds, because a time of a Poisson process has many digits.
  const std::uint64_t first_ms = first_ns / base::ns_per_ms + (first_ns % base::ns_per_ms != 0);
  throw base::error(fmt::format("no request is due within {}{}", text(plan.load.duration_ns),
                                first_ns > static_cast<std::uint64_t>(INT64_MAX)
                                    ? std::string()
                                    : fmt::format(": the first is due after {}",
                                                  text(first_ms * base::ns_per_ms))),
                    "give a longer time or a higher rate", {"--duration"});
}

/// Fails early: a backend that cannot send the first sample usually cannot send any sample. Without
/// this check every request would fail, or the server would seem not to be ready.
void prepared::try_first_sample() const {
  client::head_writer heads(protocol);
  client::exchange trial(protocol, heads);
  if (trial.prepare(samples->first().c, 0, 0)) return;
  throw base::error(fmt::format("the backend {} cannot send what the dataset {} yields: {}",
                                plan.backend.use, plan.dataset_name, trial.finish().error));
}

/// Only warns: upstream also applies the chat template twice in this case, and the prompts have to
/// be the same as upstream's.
void prepared::tell_of_templates() const {
  const bool twice = (samples->flags() & IFB_DATASET_RENDERED) != 0 &&
                     (protocol.codec.flags & IFB_CODEC_CHAT) != 0 &&
                     samples->first().c.messages.count == 0;
  if (twice)
    log.warning(
        fmt::format("the prompts of dataset {} went through the chat template here, and go through "
                    "it once more "
                    "in the server of backend {}; --skip-chat-template leaves it to the server",
                    plan.dataset_name, plan.backend.use));
}

/// Tells users who set no limit about the built-in limit.
void prepared::tell_of_threads() const {
  if (!protocol.engine->ops.blocks() || plan.load.max_concurrency ||
      samples->requests() <= most_blocking)
    return;
  log.warning(
      fmt::format("backend {} needs a thread for each request in flight, so there are {} at most; "
                  "--max-concurrency sets another limit",
                  plan.backend.use, most_blocking));
}

void prepared::rehearse(interrupt& signals) {
  if (protocol.engine) load_engine(chosen.backend, *backend, signals, [this] { host.cancel(); });
  const rehearsal with{plan.preparation,
                       plan.load.max_concurrency,
                       plan.live.shown != config::live_display::view::none,
                       protocol,
                       clock,
                       signals,
                       log,
                       host.out(),
                       [this] { host.cancel(); }};
  check_readiness(with, samples->first());
  if (plan.align_prompts && !protocol.engine && !samples->conversations() &&
      (samples->flags() & IFB_DATASET_SYNTHETIC) != 0) {
    align_.emplace(host.server(), chosen.model, log, [&signals] { return signals.came(); });
    if (!align_->needed_after(samples->first())) align_.reset();
    signals.end_set_up();
  }
  change_samples();
  warm_up(with, samples->first());
  if (plan.load.clients.warm_up)
    first_answers_ = answer_first_turns(with, *samples, *adapters, client_settings(plan),
                                        host.counter(), samples_ahead());
  // Discard the call costs of the rehearsal: results report the costs of the traffic only.
  static_cast<void>(backend->take_costs());
}

void prepared::change_samples() {
  // A prefix cache belongs to one model, and each adapter counts as a model.
  const bool several_models = plan.lora_modules.size() > 1;
  caches.emplace(
      observe::cache_watch::settings{plan.salt, plan.preparation, protocol.servers.size(),
                                     !about.pooling && !several_models},
      *samples, host.tokens());
  if (plan.media_left_out) unsent_.emplace(plan.backend.use, log);
  samples->pass_through(
      [this](std::span<const dataset::sample_ptr> some) {
        if (unsent_) unsent_->see(some);
        caches->salt_them(some);
        if (align_) align_->align(some);
        caches->see(some);
      },
      align_ ? prompts::alignment::at_once : caches->at_once());
}

std::unique_ptr<run_source> prepared::jobs() {
  if (!samples->conversations())
    return std::make_unique<scheduled_samples>(
        *samples, due, *adapters, plan.workers > 1 && plan.load.max_concurrency.has_value());
  if (plan.load.clients.number)
    return std::make_unique<conversation_clients>(*samples, *adapters, clock, client_settings(plan),
                                                  first_answers_);
  return std::make_unique<conversations>(*samples, due, *adapters, clock,
                                         schedule_settings(plan, samples->endless()));
}

std::size_t prepared::most_in_burst(std::size_t bytes_each) noexcept {
  return burst_bytes / (bytes_each + bytes_of_request);
}

std::uint64_t prepared::preparation_ns(std::size_t requests, std::uint64_t bytes) noexcept {
  return requests * request_ns + bytes * byte_ns;
}

std::size_t prepared::burst() const noexcept {
  if (samples->conversations()) return 0;  // each request is built from the answers before it
  std::size_t most = due.at_start();
  if (plan.load.max_concurrency)
    most = std::min(most, static_cast<std::size_t>(*plan.load.max_concurrency));
  const dataset::sample& first = samples->first();
  return std::min(most, most_in_burst(first.arena.used() + client::body_bytes(first.c)));
}

std::uint64_t prepared::burst_preparation_ns() const noexcept {
  const std::size_t requests = burst();
  return preparation_ns(requests, requests * client::body_bytes(samples->first().c));
}

std::uint64_t prepared::most_requests() const noexcept {
  if (!samples->endless() || about.self_timed) return samples->requests();
  const double seconds = static_cast<double>(plan.load.duration_ns) / 1e9;
  const double twice = 2 * schedule::requests_until(plan.load.traffic, seconds) + 1;
  constexpr double many = 1e18;
  return twice < many ? static_cast<std::uint64_t>(twice) : dataset::feed::no_end;
}

std::size_t prepared::samples_ahead() const noexcept {
  const std::size_t usual = std::max(usual_samples_ahead, burst());
  if (!align_) return usual;
  return std::max<std::size_t>(usual,
                               std::min<std::uint64_t>(samples->total(), aligned_samples_ahead));
}

// The samples of a burst wait in the feed only before the start, so only the first filling of its
// queue may be that large.
dataset::waiting_bytes prepared::sample_bytes_ahead() const noexcept {
  dataset::waiting_bytes out = dataset::feed::usual_bytes;
  out.first = burst() * samples->first().arena.used();
  if (align_) out.most = aligned_bytes_ahead;
  return out;
}

}  // namespace inferbench::run
