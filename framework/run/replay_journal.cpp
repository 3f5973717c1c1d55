#include "run/replay_journal.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "base/clock.hpp"
#include "metrics/health.hpp"
#include "records/journal_reader.hpp"
#include "run/end_facts.hpp"
#include "run/report_files.hpp"
#include "run/resolved.hpp"
#include "run/results.hpp"
#include "services/console.hpp"
#include "services/http_service.hpp"
#include "services/target.hpp"

namespace inferbench::run {

namespace {

constexpr std::size_t batch_size = 256;

std::string json_of(const records::journal_damage& damage) {
  ifb::json_writer out;
  out.begin_object();
  out.member("places", damage.places);
  out.member("bytes_dropped", damage.bytes_dropped);
  out.member("records_read", damage.records);
  out.end_object();
  return out.take();
}

}  // namespace

bool replay_journal(const std::filesystem::path& journal,
                    const std::vector<options::plugin_choice>& reporters,
                    const config::server& server, std::optional<bool> bounded, base::log& log,
                    base::output& printed) {
  records::journal_reader reader(journal);
  records::run_information run = reader.run();
  if (bounded) run.config_json = with_summary(run.config_json, *bounded);
  metrics::context asked(description_from(run.config_json));

  const base::monotonic_clock clock;
  services::console out(printed);
  plugin::services services;
  services.log = &log;
  services.clock = &clock;
  services.console = &services::console::service();
  services.console_state = &out;
  services::target servers(server, clock, &log);
  services.http = &services::http_service();
  services.http_state = &servers;
  report_files files;
  std::vector<std::unique_ptr<plugin::instance>> instances;
  std::vector<report::target> targets;
  for (options::plugin_choice choice : reporters) {
    files.settle(choice, run.name, {});
    instances.push_back(choice.create(services));
    targets.push_back(report::target_of(*instances.back()));
    targets.back().explain = [choice](const plugin::refused& why) { return choice.explain(why); };
  }

  results again(run, std::move(asked), std::move(targets), {}, log, IFB_RUN_REPLAYED);
  again.wait_for_reporters();
  metrics::context& context = again.context();
  for (bool more = true; more;) {
    std::vector<client::record> batch(batch_size);
    std::size_t n = 0;
    while (n < batch_size && (more = reader.next(batch[n])))
      ++n;
    batch.resize(n);
    if (n > 0) again.take(std::move(batch));
  }
  const auto damage = reader.damage();
  if (damage) log.warning(damage->text(journal));

  records::run_end end;
  end.duration_ns = std::max(again.last_end_ns(), run.started_ns) - run.started_ns;
  end.finished_unix_ns = run.started_unix_ns + static_cast<std::int64_t>(end.duration_ns);
  if (reader.end()) {
    end = *reader.end();
    context.planned = static_cast<std::int64_t>(end.planned);
    read_end_facts(end.facts_json, context);
  } else {
    context.broken_off = true;
    log.warning(journal.string() + ": the run did not come to its end; this is what it did");
  }
  end.interrupted = reader.interrupted();
  context.duration_s = static_cast<double>(end.duration_ns) / 1e9;
  // If the end of the journal is missing, only the error bounds can be computed from the records.
  // The verdict needs values that are stored in the missing end.
  if (std::ranges::find(context.facts, "client", &std::pair<std::string, std::string>::first) ==
      context.facts.end())
    context.set_fact("client", metrics::to_json(again.figures().bounds(context)));
  if (damage) {
    context.broken_off = true;
    context.set_fact("journal_damage", json_of(*damage));
  }
  const results::ended done = again.end(std::move(end));
  files.hide_from(out);
  out.print_artifacts();
  files.print(out);
  return !done.reporters_failed;
}

}  // namespace inferbench::run
