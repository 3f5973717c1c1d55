#include "find/load_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "find/probe_judge.hpp"
#include "find/probe_settings.hpp"
#include "observe/idle.hpp"
#include "run/covered_terminal.hpp"
#include "run/measurement.hpp"
#include "run/prepared.hpp"
#include "run/reporting.hpp"

namespace inferbench::find {

namespace {

constexpr std::uint64_t seeds = std::uint64_t{1} << 32U;

metrics::request_kind kind_of(const config::plan& plan) {
  const ifb::run_description about = run::description_of(plan);
  return {.pooling = about.pooling, .paced = std::isfinite(about.request_rate)};
}

/// Whether the correlation time of a probe holds for other loads. With more requests over a limit
/// than allowed it is the time of a queue that grows, which a smaller load does not have.
bool shows_dependence(const limit::probe_evidence& of) {
  return std::ranges::all_of(of.parts, [](const limit::part_evidence& part) {
    return part.what.kind != limit::part_kind::share || part.share() <= part.what.allowed;
  });
}

limit::search_settings settings_of(const config::find_request& asked) {
  return {.lo = asked.low,
          .hi = asked.high,
          .whole = asked.over == "max_concurrency",
          .precision = asked.precision,
          .probes = static_cast<std::size_t>(asked.max_probes)};
}

/// The run of a probe, without its journal.
probe_run run_of(const probe_judge& judge, const run::measurement& one) {
  return {.hit_rate = judge.hit_rate(),
          .duration_s = judge.duration_s(),
          .sent = judge.sent(),
          .failed = judge.failed(),
          .first_error = judge.first_error(),
          .journal = {},
          .client = one.ended.client};
}

/// Writes the verdict of the last probe, and why its figures may be doubted.
void write_last_probe(base::output& out, const search_outcome& of) {
  out.write(limit::probe_line(of.record, of.record.probes.back()) + "\n");
  const probe_run& last = of.about.runs.back();
  if (last.failed > 0)
    out.write(fmt::format("{} of {} requests failed, the first with: {}\n", last.failed, last.sent,
                          base::one_line(last.first_error)));
  if (last.client.level != metrics::validity::valid)
    out.write(fmt::format("the client was {} in this probe, so its latencies may be too long: {}\n",
                          metrics::name_of(last.client.level),
                          fmt::join(last.client.reasons, "; ")));
}

}  // namespace

std::string label_of(const limit::search_record& search, const limit::probe_record& probe) {
  return fmt::format("{:.10g}{}: {}", probe.load, search.load_unit,
                     limit::name_of(probe.evidence.outcome));
}

load_search::load_search(const config::find_request& asked, probe_request request_of,
                         base::log& log, base::output& out, run::interrupt& signals)
    : asked_(asked),
      request_of_(std::move(request_of)),
      log_(log),
      probe_log_(log.level(),
                 [this](base::log_level level, std::string_view line) { write_once(level, line); }),
      out_(out),
      nowhere_(std::fopen("/dev/null", "w"), &std::fclose),
      unheard_(nowhere_.get()),
      signals_(signals),
      goals_(asked.goals, asked.load.plan.figures.goodput, kind_of(asked.load.plan)),
      search_(settings_of(asked)) {
  if (!nowhere_) throw base::error("cannot open /dev/null", "check the limit of open files");
  require_possible(asked, parts_of(goals_));
}

search_outcome load_search::carry_out(const std::filesystem::path& folder) {
  folder_ = folder;
  search_outcome out;
  const bool rate = asked_.over == "request_rate";
  out.record.load_name = rate ? "request rate" : "number of concurrent requests";
  out.record.load_unit = rate ? " requests/s" : "";
  out.record.settings = search_.settings();
  out.about.command = "inferbench find " + asked_.load.line;
  out.about.over = asked_.over;
  out.about.alpha = asked_.alpha;
  out.about.assumed_correlation = asked_.assumed_correlation;
  for (const sampled_goal& goal : goals_.goals())
    out.about.goals.push_back(goal.text);
  while (const std::optional<double> load = search_.next())
    if (!probe(*load, out)) break;
  return out;
}

void load_search::write_once(base::log_level level, std::string_view line) {
  std::string known(line);
  std::erase_if(known, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  {
    const std::scoped_lock lock(mutex_);
    if (!written_.insert(std::move(known)).second && level <= base::log_level::warning) return;
  }
  log_.write(level, line);
}

std::vector<std::string> load_search::flags_of(double load, std::size_t number,
                                               const std::filesystem::path& journal) const {
  const config::plan& plan = asked_.load.plan;
  const bool rate = asked_.over == "request_rate";
  // The salt is new, so that the prefix cache of one probe does not answer the next.
  const std::string salt = plan.salt.empty() ? "auto" : fmt::format("{}-{}", plan.salt, number);
  return {rate ? "--request-rate" : "--max-concurrency",
          rate ? fmt::format("{}", load) : fmt::format("{:.0f}", load),
          "--num-prompts",
          std::to_string(asked_.max_requests),
          "--seed",
          std::to_string((plan.seed + number - 1) % seeds),
          "--salt",
          salt,
          "--journal",
          journal.string()};
}

observe::idle_wait load_search::waiting() {
  observe::idle_wait how;
  how.settle_ns = asked_.settle_ns;
  how.pause = [this](std::uint64_t ns) {
    (void)signals_.wait(std::chrono::nanoseconds(ns));
    return signals_.came();
  };
  return how;
}

void load_search::wait_for_servers(const services::target& servers, const base::clock& clock) {
  const observe::idle_wait how = waiting();
  if (observe::wait_until_idle(servers, clock, how) == observe::idleness::busy)
    log_.warning(
        fmt::format("the server still has requests after {} s without ours: the next run begins "
                    "under the load of somebody else",
                    how.patience_ns / base::ns_per_s));
}

bool load_search::server_answers(const services::target& servers, const base::clock& clock,
                                 observe::reply before) {
  if (observe::all_answer(servers, clock, waiting(), before)) return true;
  if (!signals_.came())
    log_.error(
        "the search ends, because requests failed and the server does not answer any more: start "
        "the server again, and repeat the search");
  return false;
}

void load_search::measure(double load, const std::vector<std::string>& flags,
                          limit::probe_evidence& found, probe_run& run, search_facts& about) {
  const base::monotonic_clock clock;
  const std::size_t descriptors = base::raise_descriptor_limit();
  config::request asked = request_of_(flags);
  for (const std::string& line : asked.warnings)
    probe_log_.warning(line);
  run::prepared ready(std::move(asked.plan), clock, probe_log_, unheard_);
  if (ready.about.self_timed)
    throw base::error(
        "the requests of the data set have times of their own, so a search cannot "
        "set their load",
        "add --no-self-timed");
  run::covered_terminal terminal(probe_log_);
  const run::reporting none({}, ready.host.services(), {});
  signals_.hold();
  ready.rehearse(signals_);
  observe::reply before = observe::reply::none;
  if (!ready.protocol.engine) {
    wait_for_servers(ready.host.server(), clock);
    before = observe::worst_reply(ready.host.server());
  }
  signals_.end_set_up();
  probe_judge judge(goals_, judge_settings_of(asked_, load, least_step_), asked_.max_time_ns);
  const run::measurement one =
      run::measure(ready, none, {}, signals_, terminal, descriptors, {}, &judge);
  found = judge.evidence();
  run = run_of(judge, one);
  about.interrupted = one.ended.interrupted;
  about.failed |= one.ended.data_failed;
  const bool server_gone = run.failed > 0 && !about.interrupted && !ready.protocol.engine &&
                           !server_answers(ready.host.server(), clock, before);
  if (server_gone) {
    about.interrupted = signals_.came();
    about.failed |= !about.interrupted;
  }
  apply({.client_invalid = run.client.level == metrics::validity::invalid,
         .sets_rate = asked_.over == "request_rate",
         .server_gone = server_gone},
        found);
}

bool load_search::probe(double load, search_outcome& into) {
  const std::size_t number = into.record.probes.size() + 1;
  const std::filesystem::path journal = folder_ / fmt::format("probe-{:02}.journal", number);
  out_.write(fmt::format("Probe {} of at most {}: {} {:.10g}{}\n", number, asked_.max_probes,
                         into.record.load_name, load, into.record.load_unit));
  out_.flush();
  limit::probe_record found;
  found.load = load;
  probe_run run;
  try {
    measure(load, flags_of(load, number, journal), found.evidence, run, into.about);
  } catch (const base::error& e) {
    if (number == 1) throw;
    into.about.interrupted = signals_.came();
    if (!into.about.interrupted) {
      log_.error(e.what());
      into.about.failed = true;
    }
    save(into);
    return false;
  }
  run.journal = journal.string();
  into.journals.push_back(journal);
  if (shows_dependence(found.evidence))
    least_step_ = std::max(least_step_, found.evidence.least_step_of_others());
  // A probe that the user stopped is shown, but the search does not know its load. A verdict that
  // was proved before the signal counts.
  if (found.evidence.why != limit::ending::stopped) search_.add(load, found.evidence.outcome);
  into.record.probes.push_back(std::move(found));
  into.about.runs.push_back(std::move(run));
  into.record.result = search_.result();
  write_last_probe(out_, into);
  save(into);
  return !into.about.interrupted && !into.about.failed;
}

void load_search::save(search_outcome& into) {
  into.json = search_json(into.record, into.about);
  try {
    experiment::write_durably(folder_ / "find.json", into.json + "\n");
    if (!asked_.json.empty()) experiment::write_durably(asked_.json, into.json + "\n");
  } catch (const base::error& e) {
    // The probes so far are still worth their conclusion.
    log_.error(e.what());
    into.about.failed = true;
  }
}

}  // namespace inferbench::find
