#include "run/rereport.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.hpp"
#include "metrics/accumulator.hpp"
#include "records/journal_reader.hpp"
#include "report/fanout.hpp"
#include "run/collector.hpp"
#include "run/console.hpp"
#include "run/end_facts.hpp"
#include "run/resolved.hpp"

namespace inferbench::run {

namespace {

constexpr std::size_t batch_size = 256;

}  // namespace

bool report_journal(const std::filesystem::path& journal,
                    const std::vector<config::plugin_choice>& reporters,
                    std::optional<bool> bounded, base::log& log, std::FILE* stdout_file) {
  records::journal_reader reader(journal);
  records::run_information run = reader.run();
  if (bounded) run.config_json = with_summary(run.config_json, *bounded);
  metrics::context context = context_from(run.config_json);

  const base::monotonic_clock clock;
  console out(stdout_file);
  plugin::services services;
  services.log = &log;
  services.clock = &clock;
  services.console = &console::service();
  services.console_state = &out;
  std::vector<std::unique_ptr<plugin::instance>> instances;
  std::vector<report::target> targets;
  for (const config::plugin_choice& choice : reporters) {
    instances.push_back(choice.create(services));
    targets.push_back(report::target_of(*instances.back()));
  }

  report::fanout fanout(std::move(targets), log);
  fanout.wait_when_full(true);
  begin_reporters(fanout, run);
  context.started_ns = reader.run().started_ns;
  metrics::accumulator figures(context);
  // Token counts were settled before the records were written.
  const collector::outputs to{nullptr, figures, fanout, {}, context.pooling};
  std::uint64_t last_end_ns = reader.run().started_ns;
  for (bool more = true; more;) {
    std::vector<client::record> batch(batch_size);
    std::size_t n = 0;
    while (n < batch_size && (more = reader.next(batch[n])))
      ++n;
    batch.resize(n);
    if (n > 0) last_end_ns = std::max(last_end_ns, collect(std::move(batch), to));
  }
  if (reader.damage()) log.warning(reader.damage()->text(journal));

  std::int64_t finished_unix_ns = reader.run().started_unix_ns +
                                  static_cast<std::int64_t>(last_end_ns - reader.run().started_ns);
  std::uint64_t duration_ns = last_end_ns - reader.run().started_ns;
  if (reader.end()) {
    finished_unix_ns = reader.end()->finished_unix_ns;
    duration_ns = reader.end()->duration_ns;
    context.planned = static_cast<std::int64_t>(reader.end()->planned);
    read_end_facts(reader.end()->facts_json, context);
  } else {
    context.broken_off = true;
    log.warning(journal.string() + ": the run did not come to its end; this is what it did");
  }
  context.duration_s = static_cast<double>(duration_ns) / 1e9;
  const metrics::report report = figures.finish(context);
  const bool good = fanout.finish(report.summary(finished_unix_ns, reader.interrupted()));
  out.print_artifacts();
  return good;
}

}  // namespace inferbench::run
