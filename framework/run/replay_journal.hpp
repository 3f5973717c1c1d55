// Makes figures and reports again from a journal. If the journal is damaged or has no end, the
// readable records are used.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"

namespace inferbench::run {

/// `server`: the proxies for requests of reporters; it names no server under test. `bounded`: true
/// for figures from histograms, false for exact figures, nullopt for the setting of the run. Damage
/// and a missing end are logged as warnings. Damage is also reported as the fact
/// "journal_damage". Returns true if every reporter succeeded. Throws base::error if the file is
/// not a journal, its format is unknown, or a reporter refuses the run.
[[nodiscard]] bool replay_journal(const std::filesystem::path& journal,
                                  const std::vector<options::plugin_choice>& reporters,
                                  const config::server& server, std::optional<bool> bounded,
                                  base::log& log, base::output& out);

}  // namespace inferbench::run
