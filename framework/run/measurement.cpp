#include "run/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "metrics/accumulator.hpp"
#include "metrics/health.hpp"
#include "observe/plugin_cost.hpp"
#include "observe/probes.hpp"
#include "observe/server_counters.hpp"
#include "observe/vitals.hpp"
#include "plugin/breadcrumb.hpp"
#include "records/channel.hpp"
#include "records/journal.hpp"
#include "run/collector.hpp"
#include "run/end_facts.hpp"
#include "run/environment.hpp"
#include "run/pacing.hpp"
#include "run/progress.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {

namespace {

// From here until the first request is due, journal and reporters begin and the first requests are
// serialised. Longer than that takes, and shorter than anybody notices; a burst needs more.
constexpr std::uint64_t time_to_begin_ns = 2 * base::ns_per_ms;

// The probe under way when the traffic ends gets so long, and is given up then.
constexpr std::uint64_t last_probe_ns = 30 * base::ns_per_s;

// After which what keeps a stopped run from ending is named.
constexpr std::uint64_t patience_at_end_ns = 5 * base::ns_per_s;

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
bool watch(traffic& requests, interrupt& signals, services::lender& host, progress_bar& bar,
           std::uint64_t total, observe::vitals& system, const base::clock& clock, base::log& log,
           std::uint64_t started_ns) {
  bool stopped = false;
  std::uint64_t patient_until = 0;  // 0: whoever keeps the run from ending has been named
  while (!requests.over()) {
    const bool last = requests.counts().finished >= total;
    if (signals.wait(std::chrono::milliseconds(last ? 1 : 50)) && !std::exchange(stopped, true)) {
      host.cancel();  // an engine in the middle of a request may ask
      requests.stop();
      patient_until = clock.now() + patience_at_end_ns;
    }
    if (patient_until != 0 && clock.now() > patient_until) {
      patient_until = 0;
      for (const std::string& place : plugin::threads_in_plugins())
        log.warning("the run does not end yet: a thread is inside " + place +
                    "; the next signal ends the process at once");
    }
    system.sample(clock.now());
    const traffic_counts counts = requests.counts();
    bar.draw({total, counts.finished, counts.failed, counts.started - counts.finished,
              clock.now() - started_ns});
  }
  requests.join();
  return stopped;
}

/// The facts that workers and system know of the client, after the traffic. `answers`: none of a
/// pooling run.
metrics::client_health health_of(const config::plan& plan, const client::backend& protocol,
                                 const traffic& requests, const metrics::ledger* answers,
                                 observe::vitals& system, std::uint64_t now_ns) {
  metrics::client_health out;
  if (answers != nullptr) {
    out.answers = answers->ok();
    out.unmarked = answers->unmarked();
    out.cut_short = answers->cut_short();
  }
  out.workers = requests.health();
  if (!protocol.engine) out.servers = plan.server.base_urls;
  out.stamping = plan.stamping;
  for (const client::worker_health& one : out.workers)
    out.local_failures += one.shortages;
  system.finish(now_ns, out);
  return out;
}

void tell_of_tables(const expected_load& load, base::log& log) {
  if (need_own_tables(load))
    log.info(
        fmt::format("the connections may need more than the limit of {} open files: each of "
                    "the {} workers has a table of its own",
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

/// The rate that decides how many connections are opened ahead.
double first_rate(const config::plan& plan, const facts& found) {
  if (found.self_timed) return 0;
  return plan.load.ramp_up ? plan.load.ramp_up->start : plan.load.request_rate;
}

/// Ends the probes and gives their figures to `context`. False when the user stopped it.
bool end_probes(observe::probes& beside, interrupt& signals, const base::clock& clock,
                base::log& log, metrics::context& context) {
  beside.finish();
  bool stopped = false;
  const std::uint64_t deadline = clock.now() + last_probe_ns;
  while (!beside.over() && !stopped && clock.now() < deadline)
    stopped = signals.wait(std::chrono::milliseconds(1));
  if (!beside.over()) {
    if (!stopped) log.warning("the last probe was given up: it had no answer yet");
    beside.cancel();
  }
  observe::probe_results found = beside.results();
  if (found.latencies_ms.empty() && found.failed != 0)
    log.warning(fmt::format("none of {} probes succeeded: {}", found.failed, found.first_error));
  observe::add_probe_figures(std::move(found), context);
  return !stopped;
}

/// What the server counted since `before`, and what its prefix cache did. False when the user
/// stopped it.
bool compare_counters(const std::optional<observe::server_counters>& before,
                      const services::target& servers, const observe::cache_watch& caches,
                      interrupt& signals, base::log& log, metrics::context& context) {
  bool stopped = false;
  std::optional<observe::server_counters> after;
  if (before)
    after = observe::ask_counters(
        servers, [&] { return stopped = signals.wait(std::chrono::nanoseconds(0)); });
  if (after) observe::add_server_figures(*before, *after, context.duration_s, context);
  caches.end(after ? observe::cache_gain(*before, *after) : std::nullopt, context, log);
  return !stopped || after.has_value();
}

// A reporter that is this far behind has its cost told of what it had by then.
constexpr std::chrono::seconds reporters_patience{1};

/// Not that of a calibration, which is gone with the process.
bool has_name(const std::filesystem::path& file) { return !file.string().starts_with("/proc/"); }

/// A reporter's own end cannot be part of what it reports.
std::string cost_of_plugins(const prepared& with, const reporting& reporters) {
  std::vector<const plugin::instance*> all{with.backend.get(), with.data.get()};
  if (const services::tokenizer* tokens = with.host.tokens()) all.push_back(&tokens->created());
  for (const auto& reporter : reporters.instances())
    all.push_back(reporter.get());
  return observe::plugin_cost_json(observe::take_costs(all));
}

}  // namespace

measured measure(prepared& with, const reporting& reporters, const place_in_series& which,
                 interrupt& signals, std::size_t descriptors, const std::string& calibration_json) {
  const config::plan& plan = with.plan;
  const base::clock& clock = with.clock;
  base::log& log = with.log;
  services::lender& host = with.host;
  dataset::feed& feed = *with.samples;
  facts found = with.found;
  found.which = which;
  metrics::context context = context_of(plan, found);
  const std::uint64_t planned = feed.requests();
  context.planned = static_cast<std::int64_t>(planned);

  with.caches->begin(which.number);
  feed.start(with.samples_ahead());
  while (!feed.wait_until_ready(std::chrono::milliseconds(50)))
    signals.end_set_up();
  const bool connects = !with.protocol.engine;
  std::optional<observe::server_counters> counted_before;
  if (connects)
    counted_before = observe::ask_counters(host.server(), [&signals] { return signals.came(); });
  signals.end_set_up();

  // Workers, with their connections.
  const std::unique_ptr<run_source> jobs = with.jobs();
  const std::size_t workers =
      shares(static_cast<std::size_t>(plan.workers), plan.load.max_concurrency).size();
  records::channel channel(workers);
  const expected_load load{plan.connections_ahead,
                           planned,
                           plan.load.max_concurrency,
                           first_rate(plan, found),
                           descriptors,
                           workers,
                           std::max<std::size_t>(with.protocol.servers.size(), 1)};
  if (connects) tell_of_tables(load, log);
  traffic requests(clock, with.protocol, *jobs,
                   {workers, plan.load.max_concurrency, connects ? connections_ahead(load) : 0,
                    with.burst(), connects && need_own_tables(load), plan.stamping,
                    [&log](const std::string& line) { log.warning(line); }});
  if (!make_ready(
          requests, signals,
          [&](std::size_t worker, client::record&& r) {
            jobs->answered(r);
            channel.push(worker, std::move(r));
          },
          [&](std::size_t worker) { channel.close(worker); }))
    signals.end_set_up();
  std::optional<observe::probes> beside;
  if (plan.load.probe_rate > 0)
    beside.emplace(clock, with.protocol, feed.first().c, plan.load.probe_rate, plan.stamping);

  // Journal, figures and reporters. The clock of the run starts when they have begun.
  const std::uint64_t head_start_ns = time_to_begin_ns + with.burst_preparation_ns();
  const std::uint64_t started_ns = clock.now() + head_start_ns;
  const journal_place place(plan, reporters.name(), which);
  const records::run_information information{
      place.name(), started_ns, base::unix_now() + static_cast<std::int64_t>(head_start_ns),
      config_json(plan, found, context), environment_json(plan)};
  report::fanout fanout(reporters.targets(), log);
  begin_reporters(fanout, information);
  std::unique_ptr<records::journal> journal;
  if (place.path())
    journal = std::make_unique<records::journal>(*place.path(), information, clock, log);
  std::optional<plugin::parting_advice> if_it_crashes;
  if (journal)
    if_it_crashes.emplace("inferbench report " + journal->path().string() +
                          " shows what was measured, but for the last second");
  else
    if_it_crashes.emplace("with --journal FILE most of what was measured would be left");
  host.out().print(start_lines(plan, found.self_timed));
  context.started_ns = information.started_ns;
  metrics::accumulator figures(context);
  collector behind(channel,
                   {journal.get(), figures, fanout, host.counter(), found.pooling,
                    &with.caches->answers(), expectations_of(plan)},
                   clock, started_ns);

  // Go.
  const stops_at_the_end ends(requests);
  progress_bar bar(plan.progress);
  const beside_log_lines around(log, bar);
  observe::vitals system;
  system.watch(requests.threads(), started_ns);
  jobs->start_at(started_ns);
  if (beside) beside->start(started_ns);
  requests.begin();

  // Wait.
  outcome result;
  result.interrupted = watch(requests, signals, host, bar, planned, system, clock, log, started_ns);
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
      std::max(behind.last_end_ns() != 0 ? behind.last_end_ns() : clock.now(), started_ns);
  context.duration_s = static_cast<double>(ended_ns - started_ns) / 1e9;
  metrics::client_health health =
      health_of(plan, with.protocol, requests, found.pooling ? nullptr : &figures.accounts(),
                system, clock.now());
  health.bounds = figures.bounds(context);
  result.client = metrics::judge(health);
  if (beside) {
    if (result.interrupted) beside->cancel();
    if (!end_probes(*beside, signals, clock, log, context)) result.interrupted = true;
  }
  // The figures of the traffic are whole all the same.
  const bool stopped_late =
      !compare_counters(counted_before, host.server(), *with.caches, signals, log, context);
  if (!with.rate_changes.empty())
    context.set_fact(
        "rps_change_events",
        change_events(with.rate_changes, information.started_unix_ns, ended_ns - started_ns));
  if (!calibration_json.empty()) context.set_fact("calibration", calibration_json);
  jobs->add_facts(context);
  context.set_fact("client", metrics::to_json(health, result.client));
  fanout.wait_idle(reporters_patience);
  context.set_fact("plugin_cost", cost_of_plugins(with, reporters));
  const records::run_end end{base::unix_now(), ended_ns - started_ns, result.interrupted, planned,
                             end_facts(context)};
  if (journal) journal->end(end);
  fanout.wait_when_full(true);
  metrics::report report = figures.finish(context);
  if (const std::string late = report.first_text_warning(); !late.empty()) log.warning(late);
  result.reporters_failed =
      !fanout.finish(report.summary(end.finished_unix_ns, result.interrupted));
  if (journal && !journal->failed() && has_name(journal->path()))
    host.out().artifact("journal", journal->path().string());
  reporters.files().hide_from(host.out());
  host.out().print_artifacts();
  reporters.files().print(host.out());
  result.interrupted |= stopped_late;
  return {std::move(result), std::move(report)};
}

}  // namespace inferbench::run
