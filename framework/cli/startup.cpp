// `inferbench startup`: cold and warm starts of an engine or of a server.
#include <chrono>
#include <string>

#include "batch/engine_start.hpp"
#include "batch/offline_session.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "offline/other_options.hpp"
#include "offline/startup_report.hpp"
#include "offline/upstream.hpp"
#include "startup/phase_report.hpp"
#include "startup/server_form.hpp"
#include "startup/server_startup.hpp"

namespace inferbench::cli {

namespace {

int report(const startup::startup_outcome& found, options::node about, const std::string& model,
           batch::offline_session& with) {
  options::node json = offline::startup_json(found.result);
  json.set("inferbench", startup::phase_json(found, std::move(about)));
  with.report(offline::startup_text(found.result) + startup::phase_text(found), json, 4, {}, model);
  for (const auto& [key, metric] : offline::startup_metrics(found.result))
    with.report_metric(key, metric, model);
  return done;
}

}  // namespace

int startup(arguments args) {
  const options::environment env = options::environment::of_process();
  constexpr offline::benchmark which = offline::benchmark::startup;
  const offline::offline_line line = batch::read_arguments(which, args, env);
  if (line.help) {
    cli::print("{}", offline::offline_help(which));
    return done;
  }
  batch::offline_session session(line, args, env, standard_output());
  const offline::startup_options options = offline::startup_options_of(line, session.installed());
  const startup::startup_console console = session.startup_console();
  if (options.server) {
    startup::repeated_server server(startup::setup_of(options, env), session.clock(),
                                    session.signals().flag());
    session.signals().hold();
    const startup::startup_outcome found = startup::measure_startup(options, server, console);
    return report(found, server.about(), options.model, session);
  }
  const batch::engine_choice choice = session.engine(options.engine, options.passed_on);
  for (const std::string& each : offline::upstream::startup_environment(options.engine))
    cli::print("Setting {} for the process of the engine, to collect startup metrics.\n", each);
  batch::engine_start engine(choice, session.services(), session.clock(),
                             [&](batch::batch_executor& one) {
                               const run::cancel_on_signal watched = session.watch(one);
                               return session.load(one);
                             });
  session.signals().hold();  // the cache folders of a cold start are removed
  const startup::startup_outcome found = startup::measure_startup(options, engine, console);
  return report(found, engine.about(), options.model, session);
}

}  // namespace inferbench::cli
