#include "calibration/calibration.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/output.hpp"
#include "calibration/findings.hpp"
#include "calibration/simulated_server.hpp"
#include "calibration/workload.hpp"
#include "config/catalog.hpp"
#include "config/upstream.hpp"
#include "dataset/conversation.hpp"
#include "dataset/feed.hpp"
#include "options/toml.hpp"
#include "run/pacing.hpp"
#include "run/run.hpp"
#include "schedule/timetable.hpp"
#include "services/loaded_dataset.hpp"
#include "simulator/distribution.hpp"
#include "simulator/endpoints.hpp"
#include "simulator/options.hpp"

namespace inferbench::calibration {

namespace {

/// A temporary file without a name. The kernel deletes the file when its last descriptor is closed,
/// even after a crash.
class scratch_file {
 public:
  scratch_file() {
    std::string name = std::filesystem::temp_directory_path() / "inferbench-XXXXXX";
    file_ = base::fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!file_)
      throw base::error("cannot make a file like " + name + ": " + std::strerror(errno),
                        "name a writable folder in $TMPDIR");
    ::unlink(name.c_str());
  }

  [[nodiscard]] int fd() const noexcept { return file_.get(); }
  /// A path by which this process, and a child that has the descriptor, can open the file.
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }

 private:
  base::fd file_;
};

bool is_simulated(std::string_view path) {
  const simulator::endpoint* known = simulator::find_endpoint(path);
  return known != nullptr && known->reply == nullptr;
}

/// The default backend with its default options, except that it takes over the options of the
/// replaced backend that describe a request.
options::plugin_choice default_instead_of(const options::plugin_choice& other) {
  config::installed_catalog plugins;
  plugins.look_in({}, false);
  options::plugin_choice out =
      config::with_defaults(plugins, IFB_BACKEND, config::upstream::default_backend);
  for (const std::string_view option : {"ignore-eos", "extra-body", "logprobs"})
    if (const options::option_value* said = other.find(option))
      if (options::option_value* to = out.value_of(option); to != nullptr && to->type == said->type)
        *to = *said;
  return out;
}

/// Changes `backend` if the simulator does not serve the path of its endpoint. If the simulator
/// serves the backend's default path, the endpoint becomes that path. Otherwise the simulator does
/// not know the protocol, and the default backend replaces `backend`.
void choose_backend(options::plugin_choice& backend, base::log& log) {
  options::option_value* endpoint = backend.value_of("endpoint");
  if (endpoint != nullptr && is_simulated(endpoint->text)) return;
  const auto options = backend.library.options();
  for (std::size_t i = 0; endpoint != nullptr && i < options.size(); ++i) {
    if (endpoint != &backend.values[i] || options[i]->fallback == nullptr) continue;
    const std::string own = options::parse_toml_literal(options[i]->fallback, "endpoint").text;
    if (!is_simulated(own)) continue;
    endpoint->text = own;
    return;
  }
  log.info("calibration: the simulator does not speak " + backend.use + "; " +
           std::string(config::upstream::default_backend) + " instead");
  backend = default_instead_of(backend);
}

/// A copy of `plan` with the same load for the simulator: without settings for the real server and
/// without result files.
config::plan in_private(const config::plan& plan, const std::string& journal, base::log& log) {
  config::plan out = plan;
  choose_backend(out.backend, log);
  out.label.reset();
  out.files.journal = journal;
  out.files.saved = false;
  out.progress = false;
  out.preparation.num_warmups = 0;
  out.num_runs = 1;
  out.load.probe_rate = 0;
  out.align_prompts = false;  // the simulator has a different tokenizer
  out.preparation.ready_check_timeout_ns = 0;
  out.preparation.profile = false;
  out.calibrate = false;
  out.require_valid = false;
  out.reporters.clear();
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
      const std::int64_t wanted = turns[i].answer_tokens;
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
  const workload::server answers{simulator::parse_delays(settings.ttft, "--ttft").mean(),
                                 simulator::parse_delays(settings.itl, "--itl").mean()};
  const scratch_file truth;
  const scratch_file journal;
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> null(std::fopen("/dev/null", "we"),
                                                                &std::fclose);
  base::output nowhere(null.get());
  // The log is quiet, because the measured run reports the same problems with the data.
  base::log quiet(base::log_level::error);

  config::plan load = in_private(plan, journal.path(), log);
  load.reporters = settings.reporters;
  simulated_server server(settings.program,
                          {"--ttft", settings.ttft, "--itl", settings.itl, "--max-model-len",
                           "1073741824", "--ground-truth", truth.path()},
                          truth.fd());
  load.server.base_urls = {server.url()};
  const extent size = measure(load, answers, settings.limit_ns, quiet, nowhere);
  tell_of(size, load, settings.limit_ns, log);
  load.num_prompts = static_cast<std::int64_t>(size.samples);
  load.load.duration_ns = 0;

  const run::outcome ended = run::execute(
      load, quiet, settings.reporters.empty() || settings.out == nullptr ? nowhere : *settings.out);
  if (ended.interrupted) throw base::error("the calibration was interrupted");
  server.stop();

  findings found = compare(journal.path(), truth.path());
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
