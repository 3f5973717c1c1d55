#include "run/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "metrics/evidence.hpp"
#include "metrics/health.hpp"
#include "observe/plugin_cost.hpp"
#include "observe/vitals.hpp"
#include "plugin/breadcrumb.hpp"
#include "records/journal.hpp"
#include "run/client_health.hpp"
#include "run/environment.hpp"
#include "run/live_board.hpp"
#include "run/load_generator.hpp"
#include "run/observers.hpp"
#include "run/pacing.hpp"
#include "run/prefix_cache_reset.hpp"
#include "run/progress_views.hpp"
#include "run/results.hpp"
#include "run/scoring.hpp"
#include "run/threshold_profiler.hpp"
#include "run/traffic.hpp"
#include "run/traffic_course.hpp"

namespace inferbench::run {

namespace {

// The time between this point and the first due request. During it, journal and reporters begin and
// the first requests are serialised, which takes less time than this. Users do not notice the
// pause. A burst needs more time.
constexpr std::uint64_t time_to_begin_ns = 2 * base::ns_per_ms;

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

/// Empties the prefix caches if the user wants this, and fills the feed. Throws base::error if the
/// user ends the set-up.
void fill(prepared& with, std::int64_t number, interrupt& signals) {
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
}

/// The time from the start of the traffic to the end of the last request.
std::uint64_t duration_of(const results& kept, const base::clock& clock, std::uint64_t started_ns) {
  // If no request was sent, the run may have been stopped before `started_ns`.
  const std::uint64_t ended_ns =
      std::max(kept.last_end_ns() != 0 ? kept.last_end_ns() : clock.now(), started_ns);
  return ended_ns - started_ns;
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

void warn_of_unreachable_goals(const metrics::context& context, base::log& log) {
  for (const std::string& line : metrics::unreachable_goals(context))
    log.warning(line);
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

/// A profiler of the servers for --profile-batch-threshold; nullptr if the user does not want it or
/// the backend has no server. `load` must outlive it.
std::unique_ptr<threshold_profiler> profile_thresholds(const prepared& with, load_generator& load) {
  if (!with.plan.preparation.profile_batch_threshold || with.protocol.engine) return nullptr;
  const auto in_flight = [&load] {
    const traffic_counts now = load.requests().counts();
    return now.started - now.finished;
  };
  return std::make_unique<threshold_profiler>(with.plan.preparation, with.host.server(), in_flight,
                                              with.log);
}

/// The verdict on the client, from its own figures and the system's.
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

/// The parts of a run whose traffic is over. All references are valid until its results are final.
struct ended_run {
  prepared& with;
  const reporting& reporters;
  const records::run_information& about;
  load_generator& load;
  observers& watchers;
  results& kept;
  interrupt& signals;
  const std::string& calibration_json;
  traffic_judge* judge;
};

/// Ends the observers, adds the facts and figures that do not come from records, and closes journal
/// and reporters.
measurement finish(const ended_run& run, const traffic_outcome& sent) {
  outcome result;
  result.interrupted = sent.stopped;
  if (const std::string trouble = run.with.samples->trouble(); !trouble.empty()) {
    run.with.log.error(trouble);
    result.data_failed = true;
  }

  const std::uint64_t duration_ns = duration_of(run.kept, run.with.clock, run.about.started_ns);
  metrics::context& context = run.kept.context();
  context.duration_s = static_cast<double>(duration_ns) / 1e9;
  context.planned = static_cast<std::int64_t>(sent.planned);
  judged_client client =
      judge_client(run.with, run.load.requests(), run.watchers.system(), run.kept);
  result.client = std::move(client.verdict);
  if (!run.watchers.end_probes(result.interrupted, run.signals, context)) result.interrupted = true;
  bool stopped_late = !run.watchers.end_readings(run.signals);
  stopped_late |= !run.watchers.compare_counters(run.signals, context);

  add_facts(run.with, run.load, run.about, duration_ns, run.calibration_json, context);
  if (run.judge != nullptr) run.judge->end(result.interrupted, context);
  context.set_fact("client", std::move(client.json));
  run.kept.wait_idle(reporters_patience);
  context.set_fact("plugin_cost", cost_of_plugins(run.with, run.reporters));
  results::final_result done =
      run.kept.end({run.with.clock.unix_now(), duration_ns, result.interrupted, sent.planned, {}});
  for (const std::string& line : run.kept.series().warnings())
    run.with.log.warning(line);
  print_files(run.reporters, run.kept.journal(), run.with.host.out());
  result.reporters_failed = done.reporters_failed;
  result.thresholds_failed = done.thresholds_failed;
  // The figures are complete even if the user stopped the run after the traffic.
  result.interrupted |= stopped_late;
  return {std::move(result), std::move(done.figures)};
}

}  // namespace

measurement measure(prepared& with, const reporting& reporters, const place_in_series& which,
                    interrupt& signals, covered_terminal& terminal, std::size_t descriptors,
                    const std::string& calibration_json, traffic_judge* judge) {
  observers watchers(with);
  fill(with, which.number, signals);
  watchers.count_before(signals);
  load_generator load(with, descriptors);
  load.make_ready(signals);
  watchers.make_probes();

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
                &with.caches->answers(), watchers.pages(), &board, judge,
                [&terminal] { terminal.release(); }},
               with.log);
  if (which.number == 1) warn_of_unreachable_goals(kept.context(), with.log);
  if (place.path()) kept.keep_journal(*place.path(), about, with.clock);
  const plugin::parting_advice if_it_crashes(advice_after_a_crash(kept.journal()));
  with.host.out().print(start_lines(with.plan.load, with.about.self_timed));

  if (screen) terminal.cover();
  progress_views views(with.plan.live, screen, board);
  std::optional<scoring> scores;
  if (with.scorer) scores.emplace(*with.scorer, with.log);
  watchers.begin_energy();
  std::unique_ptr<threshold_profiler> profiler = profile_thresholds(with, load);
  const traffic_outcome sent = run_traffic(with, load, kept, views, watchers, signals,
                                           about.started_ns, judge, scores ? &*scores : nullptr);
  watchers.end_energy(kept.output_tokens(), kept.context());
  profiler.reset();

  measurement out = finish(
      {with, reporters, about, load, watchers, kept, signals, calibration_json, judge}, sent);
  if (scores && scores->failed()) out.ended.reporters_failed = true;
  return out;
}

}  // namespace inferbench::run
