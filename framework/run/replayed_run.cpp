#include "run/replayed_run.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "metrics/health.hpp"
#include "run/end_facts.hpp"
#include "run/resolved.hpp"

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

results::final_result replay_run(records::journal_reader& reader,
                                 const std::filesystem::path& journal,
                                 const records::run_information& run,
                                 std::vector<report::target> reporters, base::log& log) {
  metrics::context asked(description_from(run.config_json));
  results again(run, std::move(asked), std::move(reporters), {}, log, IFB_RUN_REPLAYED);
  metrics::context& context = again.context();
  reader.on_observation([&](const records::observation& what) { again.take(what); });
  for (bool more = true; more;) {
    std::vector<client::record> batch(batch_size);
    std::size_t n = 0;
    while (n < batch_size && (more = reader.next(batch[n])))
      ++n;
    batch.resize(n);
    if (n > 0) again.take(std::move(batch));
  }
  reader.on_observation({});  // `again` is destroyed before the reader
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
  return again.end(std::move(end));
}

}  // namespace inferbench::run
