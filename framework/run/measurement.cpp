#include "run/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "metrics/evidence.hpp"
#include "metrics/health.hpp"
#include "observe/gpu_energy.hpp"
#include "observe/pages.hpp"
#include "observe/plugin_cost.hpp"
#include "observe/probes.hpp"
#include "observe/scraper.hpp"
#include "observe/server_counters.hpp"
#include "observe/vitals.hpp"
#include "plugin/breadcrumb.hpp"
#include "records/journal.hpp"
#include "run/client_health.hpp"
#include "run/collector.hpp"
#include "run/environment.hpp"
#include "run/live_board.hpp"
#include "run/load_generator.hpp"
#include "run/pacing.hpp"
#include "run/prefix_cache_reset.hpp"
#include "run/progress.hpp"
#include "run/results.hpp"
#include "run/scoring.hpp"
#include "run/threshold_profiler.hpp"
#include "run/traffic_end.hpp"

namespace inferbench::run {

namespace {

// The time between this point and the first due request. During it, journal and reporters begin and
// the first requests are serialised, which takes less time than this. Users do not notice the
// pause. A burst needs more time.
constexpr std::uint64_t time_to_begin_ns = 2 * base::ns_per_ms;

// A probe that is in flight when the traffic ends is cancelled after this time.
constexpr std::uint64_t last_probe_ns = 30 * base::ns_per_s;

// The last reading of metrics pages is given up after this time.
constexpr std::uint64_t last_reading_ns = 2 * base::ns_per_s;

/// Stops the requests at the end of a scope, even after an exception. The collector's destructor
/// waits for its thread, and this thread ends when the requests have stopped.
class stops_at_the_end {
 public:
  explicit stops_at_the_end(traffic& requests) : requests_(requests) {}
  stops_at_the_end(const stops_at_the_end&) = delete;
  stops_at_the_end& operator=(const stops_at_the_end&) = delete;
  ~stops_at_the_end() { requests_.stop(); }

 private:
  traffic& requests_;
};

/// The size of the traffic: a number of requests, a time, or both.
struct extent {
  std::uint64_t requests;     // feed::no_end: not limited
  std::uint64_t duration_ns;  // 0: not limited
};

/// What the main thread shows of the progress.
struct progress_views {
  progress_bar bar;
  progress_lines lines;
  live_board& board;

  void draw(const live_state& now) {
    bar.draw(now.progress);
    lines.draw(now.progress);
    board.put(now);
  }
};

/// The end of the traffic, if its requests did not end it.
struct early_end {
  bool by_user = false;
  bool by_judge = false;
};

/// Waits for the workers and draws the progress.
early_end watch(traffic& requests, interrupt& signals, services::lender& host,
                progress_views& views, const extent& size, observe::vitals& system,
                const base::clock& clock, std::uint64_t started_ns, traffic_judge* judge) {
  early_end out;
  while (!requests.over()) {
    const std::uint64_t now = clock.now();
    const bool time_is_over =
        size.duration_ns != 0 && now > started_ns && now - started_ns >= size.duration_ns;
    const bool last = time_is_over || requests.counts().finished >= size.requests;
    if (signals.wait(std::chrono::milliseconds(last ? 1 : 50)) &&
        !std::exchange(out.by_user, true)) {
      host.cancel();  // an engine that is working on a request may query this
      requests.stop();
    }
    if (judge != nullptr && !out.by_judge && now > started_ns &&
        judge->has_enough(now - started_ns)) {
      out.by_judge = true;
      requests.stop();
    }
    system.sample(clock.now());
    const traffic_counts counts = requests.counts();
    const std::uint64_t at = std::max(clock.now(), started_ns);
    views.draw({{size.requests, counts.finished, counts.failed, counts.started - counts.finished,
                 at - started_ns, size.duration_ns},
                system.busiest()});
  }
  requests.join();
  return out;
}

/// Ends the probes and adds their figures to `context`. Returns false if the user stopped this.
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

/// Makes the scraper of metrics pages if the user asked for it. Throws base::error for a page that
/// cannot be read.
void make_scraper(const prepared& with, std::optional<observe::scraper>& out) {
  const config::observing& wanted = with.plan.observe;
  auto pages = observe::pages_of(wanted, with.host.server(), !with.protocol.engine);
  if (!pages.empty())
    out.emplace(with.clock, std::move(pages), wanted.interval_ns, wanted.names);
  else if (wanted.wanted)
    with.log.warning("--observe has no effect: the backend has no server, and no page is given");
}

/// Waits for the last reading of each page. Returns false if the user stopped this.
bool end_readings(observe::scraper& pages, interrupt& signals, const base::clock& clock) {
  bool stopped = false;
  const std::uint64_t deadline = clock.now() + last_reading_ns;
  while (!pages.over() && !stopped && clock.now() < deadline)
    stopped = signals.wait(std::chrono::milliseconds(1));
  if (!pages.over()) pages.cancel();
  pages.join();
  return !stopped;
}

/// Adds the server's counts since `before` and the hits of its prefix cache. Returns false if the
/// user stopped this.
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

// The time that reporters get to process their records before the cost of plugins is reported. For
// a slower reporter, the cost includes only the records that it has processed in this time.
constexpr std::chrono::seconds reporters_patience{1};

/// False for the journal of a calibration: a file without a name, which is deleted when the process
/// ends.
bool has_name(const std::filesystem::path& file) { return !file.string().starts_with("/proc/"); }

std::string environment_of(const prepared& with) {
  std::vector<const options::plugin_choice*> plugins{&with.chosen.backend, &with.plan.dataset};
  if (with.chosen.tokenizer) plugins.push_back(&*with.chosen.tokenizer);
  if (with.plan.scorer) plugins.push_back(&*with.plan.scorer);
  for (const options::plugin_choice& reporter : with.plan.reporters)
    plugins.push_back(&reporter);
  return environment_json(plugins);
}

/// The costs of all plugins so far, as JSON. A reporter's end() is called later, so it is not
/// included.
std::string cost_of_plugins(const prepared& with, const reporting& reporters) {
  std::vector<const plugin::instance*> all{with.backend.get(), with.data.get()};
  if (const services::tokenizer* tokens = with.host.tokens()) all.push_back(&tokens->created());
  if (with.scorer) all.push_back(with.scorer.get());
  for (const auto& reporter : reporters.instances())
    all.push_back(reporter.get());
  return observe::plugin_cost_json(observe::take_costs(all));
}

/// Empties the prefix caches if the user wants this, fills the feed, and queries the server's
/// counters before the traffic. Throws base::error if the user ends the set-up.
std::optional<observe::server_counters> fill(prepared& with, std::int64_t number,
                                             interrupt& signals) {
  if (with.plan.preparation.reset_prefix_cache) {
    if (with.protocol.engine)
      with.log.warning("--reset-prefix-cache has no effect: the backend has no server");
    else
      reset_prefix_caches(with.host.server(), signals);
  }
  with.caches->begin(number);
  with.samples->start(with.samples_ahead(), with.sample_bytes_ahead());
  while (!with.samples->wait_until_ready(std::chrono::milliseconds(50)))
    signals.end_set_up();
  std::optional<observe::server_counters> counted;
  if (!with.protocol.engine)
    counted = observe::ask_counters(with.host.server(), [&signals] { return signals.came(); });
  signals.end_set_up();
  return counted;
}

/// Makes the probes if the user asked for them.
void make_probes(const prepared& with, std::optional<observe::probes>& out) {
  if (with.plan.load.probe_rate > 0)
    out.emplace(with.clock, with.protocol, with.samples->first().c, with.plan.load.probe_rate,
                with.plan.stamping);
}

/// The time from the start of the traffic to the end of the last request.
std::uint64_t duration_of(const results& kept, const base::clock& clock, std::uint64_t started_ns) {
  // If no request was sent, the run may have been stopped before `started_ns`.
  const std::uint64_t ended_ns =
      std::max(kept.last_end_ns() != 0 ? kept.last_end_ns() : clock.now(), started_ns);
  return ended_ns - started_ns;
}

/// Begins to measure the energy of the GPUs if the user asked for it. Without NVML there is a
/// warning, and the run goes on.
void begin_energy(const prepared& with, std::optional<observe::gpu_energy>& out) {
  if (!with.plan.observe.power) return;
  try {
    out.emplace(observe::open_nvml());
    out->start(with.clock.now());
  } catch (const base::error& e) {
    out.reset();
    with.log.warning(e.what());
  }
}

/// Adds the fact "gpu_energy" if the energy is known.
void end_energy(const prepared& with, const std::optional<observe::gpu_energy>& measured_by,
                std::int64_t output_tokens, metrics::context& context) {
  if (!measured_by) return;
  try {
    context.set_fact("gpu_energy",
                     observe::energy_json(measured_by->finish(with.clock.now()), output_tokens));
  } catch (const base::error& e) {
    with.log.warning(e.what());
  }
}

struct driven {
  bool stopped = false;  // the user stopped the run
  std::uint64_t planned = 0;
};

/// Runs the traffic, from its start until every request has ended.
driven drive(prepared& with, load_generator& load, results& kept, progress_views& views,
             std::optional<observe::probes>& probes, std::optional<observe::scraper>& pages,
             observe::vitals& system, interrupt& signals, std::uint64_t started_ns,
             traffic_judge* judge, scoring* scores) {
  collector behind(load.finished(), kept, with.clock, scores);
  const stops_at_the_end ends(load.requests());
  const beside_log_lines around(with.log, views.bar);
  system.watch(load.requests().threads(), started_ns);
  if (probes) probes->start(started_ns);
  if (pages) pages->start(started_ns);
  load.begin(started_ns);
  const extent size{with.samples->requests(), with.plan.load.duration_ns};
  driven out;
  const early_end early = watch(load.requests(), signals, with.host, views, size, system,
                                with.clock, started_ns, judge);
  out.stopped = early.by_user;
  views.bar.end();
  if (pages && out.stopped) pages->cancel();
  if (pages) pages->finish();
  if (!out.stopped) tell_of_early_end(with, load.requests().counts().started, started_ns);
  // A judge does not need the requests that were not sent.
  out.planned =
      early.by_judge ? load.requests().counts().started : planned_until_now(with, load, started_ns);
  with.samples->stop();
  behind.join();
  return out;
}

/// Whether a reporter may draw a screen on standard error.
bool draws_screen(const reporting& reporters) {
  return ::isatty(STDERR_FILENO) == 1 &&
         std::ranges::any_of(reporters.targets(), &report::target::live);
}

progress_views views_of(const config::live_display& wanted, bool screen, live_board& board) {
  const bool line = wanted.shown == config::live_display::view::line && !screen;
  std::function<void(std::string_view)> lines;
  if (line && wanted.asked && ::isatty(STDERR_FILENO) != 1)
    lines = [](std::string_view text) {
      const std::string whole = std::string(text) + '\n';
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, whole.data(), whole.size());
    };
  return {progress_bar(line), progress_lines(std::move(lines)), board};
}

/// Advice for the user if a plugin crashes the process.
std::string advice_after_a_crash(const records::journal* journal) {
  if (journal == nullptr) return "with --journal FILE most of what was measured would be left";
  return "inferbench report " + journal->path().string() +
         " shows what was measured, but for the last second";
}

/// Adds the facts that are known after the traffic, except the facts about the client.
void add_facts(const prepared& with, load_generator& load, const records::run_information& about,
               std::uint64_t duration_ns, const std::string& calibration_json,
               metrics::context& context) {
  if (!with.rate_changes.empty())
    context.set_fact("rps_change_events",
                     change_events(with.rate_changes, about.started_unix_ns, duration_ns));
  if (!calibration_json.empty()) context.set_fact("calibration", calibration_json);
  load.jobs().add_facts(context);
}

/// Prints the paths of all files that the run has written.
void print_files(const reporting& reporters, const records::journal* journal,
                 services::console& out) {
  if (journal != nullptr && !journal->failed() && has_name(journal->path()))
    out.artifact("journal", journal->path().string());
  reporters.files().hide_from(out);
  out.print_artifacts();
  reporters.files().print(out);
}

/// The description of the run at position `which` of its series.
ifb::run_description description_of(const prepared& with, const place_in_series& which) {
  ifb::run_description out = with.about;
  out.number = which.number;
  out.runs = which.of;
  return out;
}

/// The information in the first frame of the journal, for a run that begins `head_start_ns` from
/// now. Reporters get the same information.
records::run_information information_of(const prepared& with, const ifb::run_description& described,
                                        const std::string& name, std::uint64_t head_start_ns) {
  return {name, with.clock.now() + head_start_ns,
          with.clock.unix_now() + static_cast<std::int64_t>(head_start_ns),
          config_json(with.plan.json, described), environment_of(with)};
}

struct judged_client {
  metrics::verdict verdict;
  std::string json;  // the fact "client"
};

judged_client judge_client(const prepared& with, const traffic& requests, observe::vitals& system,
                           const results& kept) {
  const metrics::ledger* const answers = with.about.pooling ? nullptr : &kept.figures().accounts();
  metrics::client_health health =
      health_of_client(with, requests.health(), answers, system, with.clock.now());
  health.bounds = kept.figures().bounds(kept.context());
  metrics::verdict verdict = metrics::judge(health);
  std::string json = metrics::to_json(health, verdict);
  return {std::move(verdict), std::move(json)};
}

}  // namespace

measured measure(prepared& with, const reporting& reporters, const place_in_series& which,
                 interrupt& signals, covered_terminal& terminal, std::size_t descriptors,
                 const std::string& calibration_json, traffic_judge* judge) {
  std::optional<observe::scraper> pages;
  make_scraper(with, pages);
  const auto counted_before = fill(with, which.number, signals);
  load_generator load(with, descriptors);
  load.make_ready(signals);
  std::optional<observe::probes> probes;
  make_probes(with, probes);

  // The time of the run starts after journal and reporters have begun.
  const journal_place place(with.plan.files, reporters.name(), which);
  const ifb::run_description described = description_of(with, which);
  const records::run_information about =
      information_of(with, described, place.name(), time_to_begin_ns + with.burst_preparation_ns());
  const bool screen = draws_screen(reporters);
  if (screen) terminal.remember();
  live_board board;
  results kept(about, metrics::context(described), reporters.targets(),
               {with.host.counter(), expectations_of(with.plan.figures, with.chosen.backend),
                &with.caches->answers(), pages ? &*pages : nullptr, &board, judge,
                [&terminal] { terminal.release(); }},
               with.log);
  if (which.number == 1)
    for (const std::string& line : metrics::unreachable_goals(kept.context()))
      with.log.warning(line);
  if (place.path()) kept.keep_journal(*place.path(), about, with.clock);
  const plugin::parting_advice if_it_crashes(advice_after_a_crash(kept.journal()));
  with.host.out().print(start_lines(with.plan.load, with.about.self_timed));

  outcome result;
  observe::vitals system;
  if (screen) terminal.cover();
  progress_views views = views_of(with.plan.live, screen, board);
  std::optional<scoring> scores;
  if (with.scorer) scores.emplace(*with.scorer, with.log);
  std::optional<observe::gpu_energy> energy;
  begin_energy(with, energy);
  std::optional<threshold_profiler> profiler;
  if (with.plan.preparation.profile_batch_threshold && !with.protocol.engine)
    profiler.emplace(
        with.plan.preparation, with.host.server(),
        [&load] {
          const traffic_counts now = load.requests().counts();
          return now.started - now.finished;
        },
        with.log);
  const driven sent = drive(with, load, kept, views, probes, pages, system, signals,
                            about.started_ns, judge, scores ? &*scores : nullptr);
  end_energy(with, energy, kept.output_tokens(), kept.context());
  profiler.reset();
  result.interrupted = sent.stopped;
  if (const std::string trouble = with.samples->trouble(); !trouble.empty()) {
    with.log.error(trouble);
    result.data_failed = true;
  }

  const std::uint64_t duration_ns = duration_of(kept, with.clock, about.started_ns);
  metrics::context& context = kept.context();
  context.duration_s = static_cast<double>(duration_ns) / 1e9;
  context.planned = static_cast<std::int64_t>(sent.planned);
  judged_client client = judge_client(with, load.requests(), system, kept);
  if (probes && result.interrupted) probes->cancel();
  if (probes && !end_probes(*probes, signals, with.clock, with.log, context))
    result.interrupted = true;
  bool stopped_late = pages && !end_readings(*pages, signals, with.clock);
  stopped_late |= !compare_counters(counted_before, with.host.server(), *with.caches, signals,
                                    with.log, context);
  add_facts(with, load, about, duration_ns, calibration_json, context);
  if (judge != nullptr) judge->end(result.interrupted, context);
  context.set_fact("client", std::move(client.json));
  kept.wait_idle(reporters_patience);
  context.set_fact("plugin_cost", cost_of_plugins(with, reporters));
  results::ended done =
      kept.end({with.clock.unix_now(), duration_ns, result.interrupted, sent.planned, {}});
  for (const std::string& line : kept.series().warnings())
    with.log.warning(line);
  print_files(reporters, kept.journal(), with.host.out());
  result.client = std::move(client.verdict);
  result.reporters_failed = done.reporters_failed || (scores && scores->failed());
  result.thresholds_failed = done.thresholds_failed;
  // The figures are complete even if the user stopped the run after the traffic.
  result.interrupted |= stopped_late;
  return {std::move(result), std::move(done.figures)};
}

}  // namespace inferbench::run
