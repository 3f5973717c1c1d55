// Gives the requests of an offline benchmark to a journal and to reporters. They are written to a
// journal first, and the reporters read the journal, as in `inferbench report`: a benchmark has
// the same report at once and later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "batch/batch_executor.hpp"
#include "config/catalog.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::batch {

/// The journal and the reporters that get the requests; both may be left out.
struct publication_places {
  std::optional<std::string> journal;     // path
  std::optional<std::string> result;      // of --output-json; no other file may be the same
  std::vector<std::string> reporters;     // NAME or NAME=FILE
  std::vector<std::string> plugin_flags;  // --plugin-dir and --allow-unsafe-plugin, for reporters
};

/// The facts about the run that the journal keeps.
struct published_run {
  std::string benchmark;  // "throughput"
  std::string backend, model;
  options::node arguments;  // all arguments; secrets and headers are cut
  engine_facts engine;
  std::vector<const options::plugin_choice*> plugins;
};

/// Throws base::error if a place cannot be written or a reporter does not exist. Call it before the
/// measurement.
void require_publication(const publication_places& places, const options::environment& env,
                         config::catalog& plugins);

/// Returns false if a reporter failed. Throws base::error if the journal cannot be created.
[[nodiscard]] bool publish(const published_run& about, const batch_outcome& measured,
                           const publication_places& places, const options::environment& env,
                           config::catalog& plugins, const base::clock& clock, base::log& log,
                           base::output& out);

}  // namespace inferbench::batch
