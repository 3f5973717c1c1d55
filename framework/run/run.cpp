#include "run/run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/clock.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "client/backend.hpp"
#include "dataset/feed.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/health.hpp"
#include "plugin/instance.hpp"
#include "records/channel.hpp"
#include "records/journal.hpp"
#include "report/fanout.hpp"
#include "run/collector.hpp"
#include "run/end_facts.hpp"
#include "run/environment.hpp"
#include "run/interrupt.hpp"
#include "run/journal_path.hpp"
#include "run/lender.hpp"
#include "run/progress.hpp"
#include "run/rehearsal.hpp"
#include "run/resolved.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"
#include "run/vitals.hpp"
#include "schedule/pacer.hpp"

namespace inferbench::run {

namespace {

// Samples that wait for a worker: enough for a burst, little against memory.
constexpr std::size_t samples_ahead = 256;

// From here until the first request is due, journal and reporters begin and the first
// requests are serialised. Longer than that takes, shorter than anybody notices.
constexpr std::uint64_t time_to_begin_ns = 2 * base::ns_per_ms;

using instances = std::vector<std::unique_ptr<plugin::instance>>;

/// Settles what the model is called, asking the server if the user did not say, and
/// tells the plugins that want to know.
facts settle_model(config::plan& plan, lender& host) {
  facts found;
  found.model_id = plan.model;
  std::string payload = plan.served_model.empty() ? plan.model : plan.served_model;
  if (plan.model.empty()) {
    const target::model first = host.server().discover_model();
    payload = first.id;
    found.model_id = first.root;
    host.out().line(fmt::format("First model name: {}, first model id: {}", first.id, first.root));
  }
  plan.backend.set_text("model", payload);
  if (plan.tokenizer) {
    plan.tokenizer->set_text("model", payload);
    found.tokenizer_id = plan.tokenizer_id.empty() ? found.model_id : plan.tokenizer_id;
  }
  return found;
}

client::backend protocol_of(const config::plan& plan, const plugin::instance& backend,
                            const target& server) {
  client::backend protocol;
  protocol.instance = backend.get();
  protocol.codec = plugin::codec_of(backend);
  for (const transport::endpoint& one : server.endpoints())
    protocol.servers.push_back(&one);
  protocol.headers = server.headers();
  protocol.connect_timeout_ns = plan.server.connect_timeout_ns;
  protocol.first_byte_timeout_ns = plan.server.first_byte_timeout_ns;
  protocol.idle_timeout_ns = plan.server.idle_timeout_ns;
  protocol.request_timeout_ns = plan.server.request_timeout_ns;
  protocol.stall_warning_ns = plan.server.stall_warning_ns;
  protocol.max_message = plan.server.max_message;
  protocol.max_answer = plan.server.max_answer;
  return protocol;
}

void announce(const config::plan& plan, bool self_timed, console& out) {
  out.line("Starting main benchmark run...");
  if (self_timed) {
    out.line("Requests are sent at the times of the trace.");
    return;
  }
  out.line("Traffic request rate: " + base::shortest(plan.load.request_rate));
  out.line(fmt::format("Burstiness factor: {} ({})", base::shortest(plan.load.burstiness),
                       plan.load.burstiness == 1.0 ? "Poisson process" : "Gamma distribution"));
  out.line("Maximum request concurrency: " + (plan.load.max_concurrency
                                                  ? std::to_string(*plan.load.max_concurrency)
                                                  : std::string("None")));
}

/// Log lines step around the bar as long as this lives.
class beside_log_lines {
 public:
  beside_log_lines(base::log& log, progress_bar& bar) : log_(log) {
    log_.around_lines([&bar] { bar.clear(); }, [&bar] { bar.redraw(); });
  }
  beside_log_lines(const beside_log_lines&) = delete;
  beside_log_lines& operator=(const beside_log_lines&) = delete;
  ~beside_log_lines() { log_.around_lines({}, {}); }

 private:
  base::log& log_;
};

/// Stops the requests, whatever happens meanwhile: the collector, which is joined when
/// it goes, ends with them.
class stops_at_the_end {
 public:
  explicit stops_at_the_end(traffic& requests) : requests_(requests) {}
  stops_at_the_end(const stops_at_the_end&) = delete;
  stops_at_the_end& operator=(const stops_at_the_end&) = delete;
  ~stops_at_the_end() { requests_.stop(); }

 private:
  traffic& requests_;
};

/// Waits for the workers, drawing progress; true when the user stopped them.
bool watch(traffic& requests, interrupt& signals, progress_bar& bar, std::uint64_t total,
           vitals& system, const base::clock& clock, std::uint64_t started_ns) {
  bool stopped = false;
  while (!requests.over()) {
    const bool last = requests.counts().finished >= total;
    if (signals.wait(std::chrono::milliseconds(last ? 1 : 50)) && !std::exchange(stopped, true))
      requests.stop();
    system.sample(clock.now());
    const traffic_counts counts = requests.counts();
    bar.draw({total, counts.finished, counts.failed, counts.started - counts.finished,
              clock.now() - started_ns});
  }
  requests.join();
  return stopped;
}

/// What the workers and the system know of the client, after the traffic.
metrics::client_health health_of(const config::plan& plan, const traffic& requests, vitals& system,
                                 std::uint64_t now_ns) {
  metrics::client_health out;
  out.workers = requests.health();
  out.servers = plan.server.base_urls;
  out.stamping = plan.stamping;
  for (const client::worker_health& one : out.workers)
    out.local_failures += one.shortages;
  system.finish(now_ns, out);
  return out;
}

void tell_of_tables(const expected_load& load, base::log& log) {
  if (need_own_tables(load))
    log.info(
        fmt::format("the connections may be more than a limit of {} open files allows: each "
                    "of the {} workers has a table of its own",
                    load.descriptors, load.workers));
  if (const std::string excess = too_many_connections(load); !excess.empty()) log.warning(excess);
}

/// Starts the workers and waits until each has opened its connections; the traffic has
/// not begun then. False when the user stopped it.
bool make_ready(traffic& requests, interrupt& signals, const traffic::record_sink& on_record,
                const traffic::end_sink& on_end) {
  requests.start(on_record, on_end);
  while (!requests.ready())
    if (signals.wait(std::chrono::milliseconds(1))) return false;
  return true;
}

}  // namespace

outcome execute(config::plan plan, base::log& log, std::FILE* stdout_file,
                std::string calibration_json) {
  const base::monotonic_clock clock;
  interrupt signals;
  const std::size_t descriptors = base::raise_descriptor_limit();

  // Plugins.
  lender host(plan, clock, log, stdout_file);
  facts found = settle_model(plan, host);
  host.create_tokenizer(plan);
  const auto backend = plan.backend.create(host.services());
  const auto data = plan.dataset.create(host.services());
  instances reporters;
  std::vector<report::target> targets;
  for (const config::plugin_choice& choice : plan.reporters) {
    reporters.push_back(choice.create(host.services()));
    targets.push_back(report::target_of(*reporters.back()));
  }
  const client::backend protocol = protocol_of(plan, *backend, host.server());
  found.pooling = (protocol.codec.flags & IFB_CODEC_POOLING) != 0;

  for (const transport::endpoint& one : host.server().endpoints())
    if (!one.proxy.empty()) log.info(one.where.text() + " is asked through the proxy " + one.proxy);

  // With a ready check the server may still be coming up.
  if (plan.ready_check_timeout_ns == 0) host.server().check_reachable();

  // Feed and pacer.
  dataset::feed feed(
      *data, {plan.num_prompts, plan.seed, plan.shuffle, plan.oversample, plan.request_id_prefix},
      log);
  plan.dataset.call([&] { feed.prepare(); });
  found.self_timed = (feed.flags() & IFB_DATASET_ARRIVALS) != 0;
  std::vector<std::uint64_t> due;
  if (!found.self_timed)
    due = schedule::due_times({plan.load.request_rate, plan.load.burstiness, plan.seed},
                              feed.total());
  metrics::context context = context_of(plan, found);
  context.planned = static_cast<std::int64_t>(feed.total());

  signals.hold();
  rehearse(plan, protocol, feed.first(), clock, signals, log, host.out());
  const profiling profiled(plan, host.server(), log, host.out());
  feed.start(samples_ahead);
  feed.wait_until_ready();

  // Workers, with their connections.
  scheduled jobs(feed, std::move(due));
  const std::size_t workers =
      shares(static_cast<std::size_t>(plan.workers), plan.load.max_concurrency).size();
  records::channel channel(workers);
  const expected_load load{plan.connections_ahead, feed.total(), plan.load.max_concurrency,
                           context.request_rate,   descriptors,  workers,
                           protocol.servers.size()};
  tell_of_tables(load, log);
  traffic requests(
      clock, protocol, jobs,
      {workers, plan.load.max_concurrency, connections_ahead(load), need_own_tables(load),
       plan.stamping, [&log](const std::string& line) { log.warning(line); }});
  if (!make_ready(
          requests, signals,
          [&](std::size_t worker, client::record&& r) { channel.push(worker, std::move(r)); },
          [&](std::size_t worker) { channel.close(worker); }))
    throw base::error("stopped before the measurement began");

  // Journal, figures and reporters. The clock of the run starts when they have begun.
  const std::uint64_t started_ns = clock.now() + time_to_begin_ns;
  const records::run_information information{
      run_name(base::unix_now()), started_ns,
      base::unix_now() + static_cast<std::int64_t>(time_to_begin_ns),
      config_json(plan, found, context), environment_json(plan)};
  std::unique_ptr<records::journal> journal;
  if (const auto path = journal_path(plan, information.name))
    journal = std::make_unique<records::journal>(*path, information, clock, log);
  report::fanout fanout(std::move(targets), log);
  begin_reporters(fanout, information);
  announce(plan, found.self_timed, host.out());
  context.started_ns = information.started_ns;
  metrics::accumulator figures(context);
  collector behind(channel, {journal.get(), figures, fanout, host.counter(), found.pooling}, clock,
                   started_ns);

  // Go.
  const stops_at_the_end ends(requests);
  progress_bar bar(plan.progress);
  const beside_log_lines beside(log, bar);
  vitals system;
  system.watch(requests.threads(), started_ns);
  jobs.start_at(started_ns);
  requests.begin();

  // Wait.
  outcome result;
  result.interrupted = watch(requests, signals, bar, feed.total(), system, clock, started_ns);
  if (result.interrupted) host.cancel();
  feed.stop();
  behind.join();
  bar.end();

  // End.
  if (const std::string trouble = feed.trouble(); !trouble.empty()) {
    log.error(trouble);
    result.data_failed = true;
  }
  // Where nothing was sent, the run may have been stopped before its own start.
  const std::uint64_t ended_ns =
      behind.last_end_ns() != 0 ? behind.last_end_ns() : std::max(clock.now(), started_ns);
  context.duration_s = static_cast<double>(ended_ns - started_ns) / 1e9;
  const metrics::client_health health = health_of(plan, requests, system, clock.now());
  result.client = metrics::judge(health);
  context.calibration_json = std::move(calibration_json);
  context.client_json = metrics::to_json(health, result.client);
  const records::run_end end{base::unix_now(), ended_ns - started_ns, result.interrupted,
                             feed.total(), end_facts(context)};
  if (journal) journal->end(end);
  fanout.wait_when_full(true);
  const metrics::report report = figures.finish(context);
  result.reporters_failed =
      !fanout.finish(report.summary(end.finished_unix_ns, result.interrupted));
  if (journal && !journal->failed()) host.out().artifact("journal", journal->path().string());
  host.out().print_artifacts();
  return result;
}

}  // namespace inferbench::run
