// Makes figures and reports again from a journal. If the journal is damaged or has no end, the
// readable records are used.
#pragma once

#include <filesystem>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "run/replayed_run.hpp"
#include "run/resolved.hpp"

namespace inferbench::run {

/// `server`: the proxies for requests of reporters; it names no server under test. `changes`:
/// other settings than those of the run. Damage and a missing end are logged as warnings. Damage is
/// also reported as the fact "journal_damage". Throws base::error if the file is not a journal, its
/// format is unknown, or a reporter refuses the run.
[[nodiscard]] replay_outcome replay_journal(const std::filesystem::path& journal,
                                            const std::vector<options::plugin_choice>& reporters,
                                            const config::server& server,
                                            const description_changes& changes, base::log& log,
                                            base::output& out);

}  // namespace inferbench::run
