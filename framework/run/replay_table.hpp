// Reports several runs side by side, from their journals.
#pragma once

#include <filesystem>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "run/replayed_run.hpp"
#include "run/resolved.hpp"

namespace inferbench::run {

/// The runs come in the order of `journals`; each is a point of its own, because journals do not
/// say whether runs repeat each other. Each journal is read once, and the figures of one run are in
/// memory at a time. The other parameters, the damage and the result are as in replay_journal().
/// All journals are opened before any reporter is created. Throws base::error if a file is not a
/// journal or its format is unknown; if a reporter does not offer inferbench.table-reporter/1; and
/// if a reporter refuses the table.
[[nodiscard]] replay_outcome replay_table(const std::vector<std::filesystem::path>& journals,
                                          const std::vector<options::plugin_choice>& reporters,
                                          const config::server& server,
                                          const description_changes& changes, base::log& log,
                                          base::output& out);

}  // namespace inferbench::run
