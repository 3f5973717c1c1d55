// A server as an engine: a batch is one request for each sample. All requests are due at the same
// time; with --max-concurrency N at most N of them are in flight. The requests, connections, time
// stamps and records are those of `inferbench serve`.
//
// The timed section begins with the first byte of the first request and ends with the end of the
// last answer. Before it, connections are open and requests are serialised, as far as their memory
// allows (run::prepared::burst_bytes).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <inferbench/run_description.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "batch/batch_executor.hpp"
#include "batch/batch_jobs.hpp"
#include "batch/mm_metrics.hpp"
#include "batch/sent_samples.hpp"
#include "client/health.hpp"
#include "client/record.hpp"
#include "config/plan.hpp"
#include "dataset/sample.hpp"
#include "metrics/health.hpp"
#include "metrics/ledger.hpp"
#include "metrics/resolve.hpp"
#include "observe/scraper.hpp"
#include "observe/vitals.hpp"
#include "run/interrupt.hpp"
#include "run/prepared.hpp"
#include "run/traffic.hpp"

namespace inferbench::batch {

class http_executor final : public batch_executor {
 public:
  /// Creates the plugins, asks the server for its model if the plan names none, and loads the
  /// dataset. Everything that is passed by reference must outlive this object. Throws base::error
  /// for a plan that is no batch: a schedule, a time limit, conversations, or an engine without a
  /// server.
  http_executor(config::plan plan, const base::clock& clock, base::log& log, base::output& out,
                run::interrupt& signals);
  http_executor(const http_executor&) = delete;
  http_executor& operator=(const http_executor&) = delete;
  ~http_executor() override = default;

  /// The ready check, and the warm-up of the plan if it has one. A signal ends it; cancel() does
  /// not. The measures are empty, load_ns is 0.
  [[nodiscard]] engine_facts load() override;

  /// All samples of the plan's dataset as `serve` would send them: with salt, aligned with the
  /// server's tokenizer, and with the names of adapters. Call it after load(). The samples are
  /// valid as long as this object. Throws base::error if the dataset fails or the user stops the
  /// program.
  [[nodiscard]] std::vector<dataset::sample_ptr> samples();

  /// The length of outputs and the adapters are those of the order. Number of outputs, temperature
  /// and all else are those of the plan's flags. order.sampling.n must be the number of outputs in
  /// these flags: it becomes batch_answer::outputs and batch_answer::finished of each request that
  /// succeeded. A second batch uses the connections again, unless it is larger. With
  /// IFB_BATCH_PROFILE the timed section includes the start and the stop of the profiler. If the
  /// plan observes metrics pages, the outcome has the stages of mm_metrics.hpp. Throws base::error
  /// if the batch is stopped, and for an order that a server cannot carry out: beam search,
  /// IFB_BATCH_PREQUEUE or IFB_BATCH_NO_TEXT.
  [[nodiscard]] batch_outcome run(const batch_order& order) override;

  /// Ends the run in progress and all later ones.
  void cancel() noexcept override;

  /// The health of the client since its present workers were created. The first batch creates
  /// workers, and each batch that is larger than all before creates new workers. Closes the
  /// connections. `answers`: of all records, or null for a pooling backend. client_health::bounds
  /// are left out.
  [[nodiscard]] metrics::client_health health(const metrics::ledger* answers);

  /// Counts tokens of answers whose server does not; empty without a tokenizer. Valid as long as
  /// this object.
  [[nodiscard]] metrics::token_counter counter() const { return ready_.host.counter(); }
  /// The model's name and the tokenizer's, and all else that a report says about the run.
  [[nodiscard]] const ifb::run_description& about() const noexcept { return ready_.about; }
  /// The backend and the tokenizer with the values of their options, and the model's name.
  [[nodiscard]] const run::final_choices& chosen() const noexcept { return ready_.chosen; }
  [[nodiscard]] const config::plan& plan() const noexcept { return ready_.plan; }

 private:
  /// For each page the stages; nullopt if it could not be read.
  using page_stages = std::vector<std::optional<stage_histograms>>;

  [[nodiscard]] bool stopped() const noexcept { return cancelled_ || signals_.came(); }
  [[noreturn]] void give_up();
  void end_if_stopped();
  void open_workers(const sent_samples& what, std::size_t ahead);
  void end_workers();
  void send(const sent_samples& what, std::size_t ahead);
  void take(client::record&& finished);
  void finish(batch_outcome& out, std::uint32_t outputs);
  [[nodiscard]] page_stages read_pages();
  [[nodiscard]] std::vector<engine_measure> stages_since(const page_stages& before);

  const base::clock& clock_;
  base::log& log_;
  run::interrupt& signals_;
  run::prepared ready_;
  const std::size_t descriptors_;
  std::vector<observe::scraper::page> pages_;
  std::atomic<bool> cancelled_ = false;

  std::vector<batch_answer> answers_;  // of the batch in progress; the workers fill it
  std::atomic<std::size_t> done_ = 0;  // number of answers that are there
  std::unique_ptr<batch_jobs> jobs_;
  std::size_t room_ = 0;  // the largest batch for which the workers are prepared
  observe::vitals system_;
  std::vector<client::worker_health> health_;  // of the latest workers that have ended
  std::unique_ptr<run::traffic> workers_;      // last member: its threads use the members above
};

}  // namespace inferbench::batch
