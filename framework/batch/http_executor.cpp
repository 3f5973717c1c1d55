#include "batch/http_executor.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "batch/context_length.hpp"
#include "observe/pages.hpp"
#include "plugin/instance.hpp"
#include "prompts/lora.hpp"
#include "run/client_health.hpp"
#include "run/load_generator.hpp"
#include "run/rehearsal.hpp"
#include "schedule/pattern.hpp"
#include "transport/resolver.hpp"

namespace inferbench::batch {

namespace {

// The time between two looks of the control thread whether all answers are there.
constexpr std::chrono::milliseconds between_looks{1};

// The time between giving a batch to the workers and its due time, besides the time to serialise
// it: each worker must have asked for its part, and reopened connections that the server has closed
// since the last batch.
constexpr std::uint64_t time_to_take_ns = 5 * batch_jobs::ask_again_ns;

// A metrics page that takes longer is left out.
constexpr std::uint64_t page_patience_ns = 10 * base::ns_per_s;

base::source_position place_of(const char* flag) { return {flag, 0, 0}; }

/// Refuses what has no meaning for requests that are sent at once.
config::plan only_batches(config::plan plan) {
  if (plugin::is_engine(plan.backend.library))
    throw base::error(fmt::format("backend {} has no server", plan.backend.use),
                      "leave out --base-url", place_of("--backend"));
  if (schedule::paced(plan.load.traffic))
    throw base::error("all requests of a batch are sent at once", "leave out the schedule",
                      place_of("--request-rate"));
  if (plan.load.ends())
    throw base::error("a batch has no time limit", "give the number of requests with --num-prompts",
                      place_of("--duration"));
  return plan;
}

/// Refuses what a server cannot be asked for.
void refuse_others(const batch_order& order) {
  const auto refuse = [](const char* flag, const char* why) {
    throw base::error(why, "leave it out, or use an engine without --base-url", place_of(flag));
  };
  if (order.mode == IFB_BATCH_BEAM_SEARCH)
    refuse("--use-beam-search", "no beam search is known for a server");
  if ((order.flags & IFB_BATCH_PREQUEUE) != 0)
    refuse("--prequeue-requests", "a server schedules each request when it comes");
  if ((order.flags & IFB_BATCH_NO_TEXT) != 0)
    refuse("--disable-detokenize", "a server always answers with text");
}

run::expected_load load_of_batch(const run::prepared& with, std::size_t requests,
                                 std::size_t descriptors) {
  const config::plan& plan = with.plan;
  const auto workers = static_cast<std::size_t>(plan.workers);
  return {.asked = plan.connections_ahead,
          .planned = requests,
          .max_concurrency = plan.load.max_concurrency,
          .request_rate = std::numeric_limits<double>::infinity(),
          .descriptors = descriptors,
          .workers = run::shares(workers, plan.load.max_concurrency).size(),
          .servers = with.protocol.servers.size()};
}

/// The number of requests that are serialised before the clock starts.
std::size_t serialised_ahead(const sent_samples& what, const config::load& load) {
  std::size_t most = what.all().size();
  if (load.max_concurrency) most = std::min(most, static_cast<std::size_t>(*load.max_concurrency));
  const std::size_t bytes_each = what.bytes() / what.all().size();
  return std::min(most, run::prepared::most_in_burst(bytes_each));
}

}  // namespace

http_executor::http_executor(config::plan plan, const base::clock& clock, base::log& log,
                             base::output& out, run::interrupt& signals)
    : clock_(clock),
      log_(log),
      signals_(signals),
      ready_(only_batches(std::move(plan)), clock, log, out),
      descriptors_(base::raise_descriptor_limit()),
      pages_(observe::pages_of(ready_.plan.observe, ready_.host.server(), true)) {
  if (ready_.samples->conversations())
    throw base::error(
        fmt::format("the dataset {} has conversations, whose requests wait for answers",
                    ready_.plan.dataset_name),
        "choose another dataset, or use `inferbench serve`");
}

engine_facts http_executor::load() {
  ready_.rehearse(signals_);
  signals_.end_set_up();
  engine_facts out;
  out.max_model_len = ask_context_length(ready_.host.server(), ready_.chosen.model,
                                         [this] { return signals_.came(); });
  signals_.end_set_up();
  out.profiler = "the profiler of the server";
  out.description = ready_.about.backend;
  const char* separator = " at ";
  for (const transport::endpoint* each : ready_.protocol.servers)
    out.description += std::exchange(separator, ", ") + each->where.text();
  return out;
}

std::vector<dataset::sample_ptr> http_executor::samples() {
  std::vector<dataset::sample_ptr> out;
  dataset::feed& from = *ready_.samples;
  ready_.caches->begin(1);
  from.start(ready_.samples_ahead(), ready_.sample_bytes_ahead());
  while (!from.wait_until_ready(std::chrono::milliseconds(50)))
    signals_.end_set_up();
  while (dataset::sample_ptr next = from.take()) {
    ready_.adapters->assign(*next);
    out.push_back(std::move(next));
    signals_.end_set_up();
  }
  from.stop();
  if (const std::string trouble = from.trouble(); !trouble.empty()) throw base::error(trouble);
  return out;
}

batch_outcome http_executor::run(const batch_order& order) {
  refuse_others(order);
  end_if_stopped();
  batch_outcome out;
  if (order.items.empty()) return out;
  const sent_samples what(order);
  const std::size_t ahead = serialised_ahead(what, ready_.plan.load);
  open_workers(what, ahead);
  answers_.clear();
  answers_.resize(what.all().size());
  done_ = 0;
  const page_stages before = read_pages();
  if ((order.flags & IFB_BATCH_PROFILE) != 0) {
    config::preparation wanted;
    wanted.profile = true;
    out.began_ns = clock_.now();
    {
      const run::profiling profiled(wanted, ready_.host.server(), signals_, log_,
                                    ready_.host.out());
      send(what, ahead);
    }
    out.elapsed_ns = clock_.now() - out.began_ns;
  } else {
    send(what, ahead);
  }
  out.measures = stages_since(before);
  finish(out, std::max<std::uint32_t>(order.sampling.n, 1));
  return out;
}

/// Opens connections for the batch, unless there are enough.
void http_executor::open_workers(const sent_samples& what, std::size_t ahead) {
  const std::size_t requests = what.all().size();
  if (workers_ && requests <= room_) return;
  end_workers();
  room_ = 0;  // in case that a step below fails
  const run::expected_load load = load_of_batch(ready_, requests, descriptors_);
  run::tell_of_tables(load, log_);
  run::traffic_settings settings = run::settings_of(ready_, load, ahead);
  // The workers stay for later batches, whose first requests are no first requests of a worker.
  settings.bytes_ahead = settings.first_bytes_ahead;
  jobs_ = std::make_unique<batch_jobs>(clock_, load.workers > 1 && load.max_concurrency);
  workers_ = std::make_unique<run::traffic>(clock_, ready_.protocol, *jobs_, settings);
  workers_->start([this](std::size_t, client::record&& r) { take(std::move(r)); },
                  [](std::size_t) {});
  while (!workers_->ready()) {
    static_cast<void>(signals_.wait(between_looks));
    end_if_stopped();
  }
  room_ = requests;
  system_.watch(workers_->threads(), clock_.now());
  workers_->begin();
}

void http_executor::end_workers() {
  if (!workers_) return;
  jobs_->end();
  workers_->join();
  health_ = workers_->health();
  workers_.reset();
}

/// Sends the requests and waits for all records.
void http_executor::send(const sent_samples& what, std::size_t ahead) {
  const std::uint64_t bytes = what.bytes() / what.all().size() * ahead;
  const std::uint64_t until_due = time_to_take_ns + run::prepared::preparation_ns(ahead, bytes);
  jobs_->give(what.all(), clock_.now() + until_due);
  try {
    while (done_.load(std::memory_order_acquire) < answers_.size()) {
      static_cast<void>(signals_.wait(between_looks));
      end_if_stopped();
      system_.sample(clock_.now());
    }
  } catch (...) {
    workers_.reset();  // the samples die with the caller
    throw;
  }
}

// [any worker's thread] Each record has a place of its own.
void http_executor::take(client::record&& finished) {
  const std::uint64_t i = finished.sequence;
  answers_[i].record = std::move(finished);
  done_.fetch_add(1, std::memory_order_release);
}

/// Completes the outcome from the records.
void http_executor::finish(batch_outcome& out, std::uint32_t outputs) {
  std::uint64_t began = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t ended = 0;
  for (batch_answer& each : answers_) {
    const client::record& r = each.record;
    each.arrived_ns = r.start_ns;
    if (r.ok()) each.outputs = each.finished = outputs;
    // A request that was refused or found no connection has no first byte.
    began = std::min(began, r.sent_ns != 0 ? r.sent_ns : r.start_ns);
    ended = std::max(ended, r.end_ns);
  }
  if (out.began_ns == 0) {
    out.began_ns = began;
    out.elapsed_ns = ended - std::min(began, ended);
  }
  out.answers = std::move(answers_);
}

void http_executor::end_if_stopped() {
  if (stopped()) give_up();
}

void http_executor::give_up() {
  ready_.host.cancel();
  workers_.reset();  // cancels the requests in flight
  throw base::error("the benchmark was stopped before its end");
}

void http_executor::cancel() noexcept {
  cancelled_ = true;
  ready_.host.cancel();  // a plugin that is at work may query this
}

metrics::client_health http_executor::health(const metrics::ledger* answers) {
  end_workers();
  return run::health_of_client(ready_, health_, answers, system_, clock_.now());
}

http_executor::page_stages http_executor::read_pages() {
  page_stages out;
  for (const observe::scraper::page& each : pages_) {
    const auto answer = each.fetch(page_patience_ns, [this] { return stopped(); });
    auto& stages = out.emplace_back();
    if (answer.ok() && answer.status == 200)
      stages = read_stages(answer.body);
    else if (!stopped())
      log_.warning(fmt::format(
          "{}: {}", each.url,
          answer.ok() ? fmt::format("HTTP {} {}", answer.status, answer.reason) : answer.error));
  }
  return out;
}

/// The stages of the pages that could be read both times.
std::vector<engine_measure> http_executor::stages_since(const page_stages& before) {
  const page_stages after = read_pages();
  stage_histograms then;
  stage_histograms now;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!before[i] || !after[i]) continue;
    add_stages(then, *before[i]);
    add_stages(now, *after[i]);
  }
  return stage_measures(stages_between(then, now));
}

}  // namespace inferbench::batch
