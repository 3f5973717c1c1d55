#include "calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/scratch_file.hpp"
#include "calibration/findings.hpp"
#include "calibration/simulated_backend.hpp"
#include "calibration/simulated_server.hpp"
#include "calibration/workload.hpp"
#include "config/upstream.hpp"
#include "dataset/conversation.hpp"
#include "dataset/feed.hpp"
#include "run/pacing.hpp"
#include "run/run.hpp"
#include "schedule/timetable.hpp"
#include "services/loaded_dataset.hpp"
#include "simulator/load_delay.hpp"
#include "simulator/options.hpp"

namespace inferbench::calibration {

namespace {

/// The plan of the same load as in `plan`, for the simulator: without settings for the real server
/// and without result files. Only the given reporters are used.
config::plan for_simulator(const config::plan& plan, const std::string& journal,
                           const std::vector<options::plugin_choice>& reporters) {
  config::plan out = plan;
  out.label.reset();
  out.files.journal = journal;
  out.files.saved = false;
  out.live = {config::live_display::view::none, false};
  out.preparation.num_warmups = 0;
  out.num_runs = 1;
  out.load.probe_rate = 0;
  out.observe = {};
  out.align_prompts = false;  // the simulator has a different tokenizer
  out.preparation.ready_check_timeout_ns = 0;
  out.preparation.profile = false;
  out.preparation.profile_batch_threshold.reset();
  out.preparation.reset_prefix_cache = false;
  out.calibrate = false;
  out.require_valid = false;
  out.reporters = reporters;
  out.server.api_key.clear();
  out.server.ca_cert.clear();
  out.server.client_cert.clear();
  out.server.client_key.clear();
  out.server.http_proxy.clear();
  out.server.https_proxy.clear();
  // Each token of the simulator is a byte.
  const auto settle = [](options::plugin_choice& one) {
    if (one.library.id() != config::upstream::server_tokenizer) return;
    if (options::option_value* size = one.value_of("vocab-size")) {
      size->is_set = true;
      size->integer = 256;
    }
  };
  if (out.tokenizer) settle(*out.tokenizer);
  std::ranges::for_each(out.tokenizers_after, settle);
  return out;
}

/// The flags of the simulator: its delays, its log, and a context that is long enough for every
/// load.
std::vector<std::string> simulator_flags(const std::string& ttft, const std::string& itl,
                                         const base::scratch_file& truth) {
  // Checks of media would take time from the client.
  return {"--ttft",         ttft,         "--itl",         itl, "--max-model-len", "1073741824",
          "--ground-truth", truth.path(), "--check-media", "0"};
}

/// The plan of `load` with another backend and server.
config::plan with_server(const config::plan& load, const options::plugin_choice& backend,
                         const std::string& url) {
  config::plan out = load;
  out.backend = backend;
  out.server.base_urls = {url};
  return out;
}

/// The plan of the first `samples` samples of `load`.
config::plan of_first(const config::plan& load, std::uint64_t samples) {
  config::plan out = load;
  out.num_prompts = static_cast<std::int64_t>(samples);
  out.load.duration_ns = 0;
  return out;
}

/// The plan of the first sample of `load` alone, which is sent at once, without reporters.
config::plan of_one(const config::plan& load, const std::string& journal) {
  config::plan out = of_first(load, 1);
  out.files.journal = journal;
  out.load.traffic = {};
  out.reporters.clear();
  return out;
}

/// Whether the simulator answers the first sample of the load as `backend` expects it. The answer
/// comes without delay.
bool answers_first_sample(const config::plan& load, const options::plugin_choice& backend,
                          const calibration_settings& settings, base::log& quiet,
                          base::output& nowhere) {
  const base::scratch_file truth;
  const base::scratch_file journal;
  simulated_server server(settings.program, simulator_flags("0", "0", truth), truth.fd());
  const run::outcome ended = run::execute(
      with_server(of_one(load, journal.path()), backend, server.url()), quiet, nowhere);
  if (ended.interrupted) throw base::error("the calibration was interrupted");
  server.stop();
  return compare(journal.path(), truth.path(), is_pooling(backend)).how_far.streams != 0;
}

/// The backend of the load, at the endpoint of the simulator; the default backend if the simulator
/// does not know the protocol.
options::plugin_choice backend_for(const config::plan& load, const calibration_settings& settings,
                                   base::log& log, base::log& quiet, base::output& nowhere) {
  options::plugin_choice backend = load.backend;
  const knowledge known = adapt_endpoint(backend);
  if (known == knowledge::yes) return backend;
  if (known == knowledge::untold && answers_first_sample(load, backend, settings, quiet, nowhere))
    return backend;
  log.info("calibration: the simulator does not speak " + backend.use + "; " +
           std::string(config::upstream::default_backend) + " instead");
  return default_instead_of(backend);
}

struct extent {
  std::uint64_t requests = 0;  // requests that fit into the time limit, at least 1
  std::uint64_t planned = 0;   // requests of the whole load; 0: not known, the load ends at a time
  std::uint64_t samples = 0;   // samples that these requests are made from
  double lasts_ns = 0;         // expected end of these requests, from the start of the load
};

/// Draws the samples once, to predict which requests fit into the time limit.
extent measure(const config::plan& plan, const workload::server& answers, std::uint64_t limit_ns,
               base::log& log, base::output& nowhere) {
  services::loaded_dataset data(plan, log, nowhere);
  dataset::feed& feed = data.samples();
  extent out{0, plan.load.ends() ? 0 : feed.requests()};
  schedule::timetable due;
  if (!run::self_timed(plan.load, feed.flags())) {
    const schedule::pace pace = run::pace_of(plan.load, plan.seed);
    due = feed.endless() ? schedule::timetable::without_end(pace)
                         : schedule::due_times(pace, feed.requests());
  }
  schedule::timetable_walk walk(due);
  const double last_ns = plan.load.ends() ? static_cast<double>(plan.load.duration_ns) : INFINITY;
  const double most_ns = std::min(static_cast<double>(limit_ns), last_ns);
  const double usual_tokens = simulator::options{}.output_tokens.mean();
  const bool pooling = is_pooling(plan.backend);
  workload load(answers, plan.load.max_concurrency);
  std::vector<dataset::turn> turns(1);
  while (const auto sample = feed.next()) {
    if (feed.conversations())
      turns = dataset::turns_of(sample->c);
    else
      turns[0].answer_tokens = sample->c.output_tokens;
    double end = out.lasts_ns;
    bool late = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const auto due_ns = static_cast<double>(
          due.empty() ? static_cast<std::uint64_t>(std::max<std::int64_t>(sample->c.arrival_ns, 0))
                      : walk.at(out.requests + i));
      late |= due_ns >= last_ns;
      // A pooling answer takes as long as a first token.
      const std::int64_t wanted = pooling ? 1 : turns[i].answer_tokens;
      end =
          std::max(end, load.add(due_ns, wanted < 0 ? usual_tokens : static_cast<double>(wanted)));
    }
    if ((late || end > most_ns) && out.samples > 0) break;
    out.lasts_ns = end;
    out.requests += turns.size();
    ++out.samples;
  }
  return out;
}

/// Tells the user which part of the load is calibrated, if it is not the whole load, and how long
/// the calibration lasts if that is longer than the limit.
void tell_of(const extent& size, const config::plan& plan, std::uint64_t limit_ns, base::log& log) {
  const bool part = plan.load.ends() ? size.lasts_ns < static_cast<double>(plan.load.duration_ns)
                                     : size.requests < size.planned;
  if (part)
    log.info(fmt::format(
        "calibration: {}{} requests, which last about {:.3g} s{}", size.requests,
        size.planned == 0 ? std::string() : fmt::format(" of {}", size.planned),
        size.lasts_ns / 1e9,
        schedule::varies(plan.load.traffic) ? "; the rates after that are not calibrated" : ""));
  if (size.lasts_ns > static_cast<double>(limit_ns))
    log.warning(
        fmt::format("calibration: the first request ends about {:.3g} s after the start, so "
                    "the calibration lasts longer than its limit of {:g} s",
                    size.lasts_ns / 1e9, static_cast<double>(limit_ns) / 1e9));
}

}  // namespace

calibration calibrate(const config::plan& plan, const calibration_settings& settings,
                      base::log& log) {
  if (plugin::is_engine(plan.backend.library))
    throw base::error(fmt::format("there is no calibration of backend {}: it performs its requests "
                                  "itself, and the simulator speaks HTTP",
                                  plan.backend.use),
                      "choose a backend that speaks HTTP, or leave out --calibrate");
  const simulator::load_delay ttft = simulator::parse_delays(settings.ttft, "--ttft");
  const simulator::load_delay itl = simulator::parse_delays(settings.itl, "--itl");
  const workload::server answers{ttft.mean_alone(), itl.mean_alone(), ttft.per_active(),
                                 itl.per_active()};
  const base::scratch_file truth;
  const base::scratch_file journal;
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> null(std::fopen("/dev/null", "we"),
                                                                &std::fclose);
  base::output nowhere(null.get());
  // The log is quiet, because the measured run reports the same problems with the data.
  base::log quiet(base::log_level::error);

  const config::plan same_load = for_simulator(plan, journal.path(), settings.reporters);
  const options::plugin_choice backend = backend_for(same_load, settings, log, quiet, nowhere);
  simulated_server server(settings.program, simulator_flags(settings.ttft, settings.itl, truth),
                          truth.fd());
  const config::plan load = with_server(same_load, backend, server.url());
  const extent size = measure(load, answers, settings.limit_ns, quiet, nowhere);
  tell_of(size, load, settings.limit_ns, log);

  const run::outcome ended =
      run::execute(of_first(load, size.samples), quiet,
                   settings.reporters.empty() || settings.out == nullptr ? nowhere : *settings.out);
  if (ended.interrupted) throw base::error("the calibration was interrupted");
  server.stop();

  findings found = compare(journal.path(), truth.path(), is_pooling(load.backend));
  found.client = ended.client;
  if (found.how_far.streams == 0)
    throw base::error("the calibration has nothing to compare: " +
                      (found.first_error.empty()
                           ? "the client saw other events than the simulator wrote"
                           : found.first_error));
  if (found.failed != 0)
    log.warning(fmt::format("calibration: {} of {} requests failed: {}", found.failed,
                            size.requests, found.first_error));
  const calibrated_load sent{load.backend.use, settings.ttft, settings.itl,
                             size.planned == 0 ? size.requests : size.planned, size.requests};
  return {json_of(found, sent), table_of(found, sent), found.client.level};
}

}  // namespace inferbench::calibration
