#include "run/replay_journal.hpp"

#include <memory>
#include <utility>

#include "records/journal_reader.hpp"
#include "run/replayed_run.hpp"
#include "run/report_files.hpp"
#include "run/report_services.hpp"
#include "run/resolved.hpp"

namespace inferbench::run {

replay_outcome replay_journal(const std::filesystem::path& journal,
                              const std::vector<options::plugin_choice>& reporters,
                              const config::server& server, const description_changes& changes,
                              base::log& log, base::output& printed) {
  records::journal_reader reader(journal);
  records::run_information run = reader.run();
  run.config_json = with_changes(run.config_json, changes);

  report_services services(server, log, printed);
  report_files files;
  std::vector<std::unique_ptr<plugin::instance>> instances;
  std::vector<report::target> targets;
  for (options::plugin_choice choice : reporters) {
    files.settle(choice, run.name, {});
    instances.push_back(choice.create(services.lent()));
    targets.push_back(report::target_of(*instances.back()));
    targets.back().explain = [choice](const plugin::refused& why) { return choice.explain(why); };
  }

  const results::final_result done = replay_run(reader, journal, run, std::move(targets), log);
  files.hide_from(services.console());
  services.console().print_artifacts();
  files.print(services.console());
  return {done.reporters_failed, done.thresholds_failed};
}

}  // namespace inferbench::run
