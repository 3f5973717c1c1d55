#include "run/results.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "plugin/instance.hpp"
#include "report/batch.hpp"
#include "run/end_facts.hpp"
#include "run/live_facts.hpp"

namespace inferbench::run {

namespace {

// The newest lines of the log that live figures contain.
constexpr std::size_t log_lines = 8;

metrics::context started(metrics::context context, std::uint64_t started_ns, bool live) {
  context.started_ns = started_ns;
  context.live = live;
  return context;
}

/// Why no answer has a score.
std::string no_score_text(const std::string& scorer, const metrics::scores& of) {
  if (of.unscored() == 0) return "no answer was scored, because no request succeeded";
  return fmt::format(
      "no answer was scored: the scorer {} gave none of the {} answers a score, because the "
      "samples do not say what is right, or because it was given up after an error",
      scorer, of.unscored());
}

}  // namespace

results::results(const records::run_information& about, metrics::context context,
                 std::vector<report::target> reporters, completion how, base::log& log,
                 std::uint32_t flags)
    : log_(log),
      context_(started(std::move(context), about.started_ns,
                       std::ranges::any_of(reporters, &report::target::live))),
      how_(std::move(how)),
      reporters_(std::move(reporters), log),
      figures_(context_),
      series_(about.started_ns) {
  reporters_.wait_when_full((flags & IFB_RUN_REPLAYED) != 0);
  ifb_run view{};
  view.struct_size = sizeof view;
  view.flags = flags;
  view.name = plugin::str(about.name);
  view.started_ns = about.started_ns;
  view.started_unix_ns = about.started_unix_ns;
  view.config_json = plugin::str(about.config_json);
  view.environment_json = plugin::str(about.environment_json);
  reporters_.begin(view);
}

void results::keep_journal(const std::filesystem::path& path, const records::run_information& about,
                           const base::clock& clock) {
  journal_ = std::make_unique<records::journal>(path, about, clock, log_);
}

void results::take(std::vector<client::record> batch) {
  for (client::record& record : batch) {
    const auto source = metrics::resolve(record, context_.pooling, how_.counter, how_.expected);
    if (journal_) journal_->append(record);
    figures_.add(record, source);
    if (context_.scorer) scores_.add(record);
    classes_.add(record, context_.pooling);
    if (record.ok() && record.output_tokens > 0) output_tokens_ += record.output_tokens;
    if (how_.caches != nullptr) how_.caches->add(record);
    if (how_.judge != nullptr) how_.judge->take(record);
    last_end_ns_ = std::max(last_end_ns_, record.end_ns);
  }
  reporters_.records(
      std::make_shared<const report::batch>(std::move(batch), reporters_.wants_stamps()));
}

void results::take(const records::observation& what) {
  if (journal_) journal_->append(what);
  series_.add(what);
}

void results::take_observations() {
  if (how_.pages == nullptr) return;
  for (const records::observation& what : how_.pages->take())
    take(what);
}

void results::tick(std::uint64_t now_ns) {
  take_observations();
  if (journal_) journal_->tick();
  if (reporters_.wants_snapshot(now_ns))
    reporters_.snapshot(std::make_shared<const metrics::report>(live_figures(now_ns)), now_ns);
}

metrics::report results::live_figures(std::uint64_t now_ns) const {
  metrics::report out = figures_.snapshot(static_cast<double>(now_ns - context_.started_ns) / 1e9);
  const live_state now = how_.progress != nullptr ? how_.progress->read() : live_state{};
  out.set_facts(live_facts(now, figures_.accounts(), series_.latest(), log_.kept(log_lines)));
  return out;
}

/// Not a part of the journal's end, because the records have the scores.
void results::add_scores() {
  if (!context_.scorer) return;
  context_.set_fact("scores", scores_.to_json(*context_.scorer));
  if (scores_.scored() == 0 && scores_.unscored() != 0)
    log_.warning("the scorer " + *context_.scorer +
                 " has scored no answer: the samples do not say what is right (docs/scorers.md)");
  if (scores_.scored() == 0) context_.no_score = no_score_text(*context_.scorer, scores_);
  if (const auto mean = scores_.mean())
    context_.beside.emplace_back(metrics::metric::correct_rate, 100 * *mean);
}

results::final_result results::end(records::run_end how) {
  take_observations();
  // The journal has the observations themselves.
  how.facts_json = end_facts(context_);
  if (!series_.empty()) context_.set_fact("series", series_.to_json());
  if (journal_) journal_->end(how);
  add_scores();
  // Not a part of the journal's end, for the same reason.
  if (!classes_.empty())
    context_.set_fact("workload_classes", classes_.to_json(context_.percentiles));
  metrics::report figures = figures_.finish(context_);
  if (const std::string late = figures.first_text_warning(); !late.empty()) log_.warning(late);
  if (const std::string none = figures.unknown_input_warning(); !none.empty()) log_.warning(none);
  const bool good =
      reporters_.finish(figures.summary(how.finished_unix_ns, how.interrupted), how_.live_ended);
  const bool missed = metrics::any_fails(figures.goals(), context_.thresholds_certain);
  // The reporters may be such that print nothing, and the user must know the reason of the status.
  if (missed) log_.warning(metrics::failed_text(figures.goals(), context_.thresholds_certain));
  return {std::move(figures), !good, missed};
}

}  // namespace inferbench::run
