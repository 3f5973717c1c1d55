// A journal through the second half of the pipeline: figures and reporters, as at the
// end of the run that wrote it, or of as much of it as there is.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"

namespace inferbench::run {

/// `bounded`: how figures are made; none: as the run had it. Damage and a missing end are
/// told as warnings, and damage in the fact journal_damage. Answers whether every reporter
/// succeeded. Throws base::error: no journal, unknown format, a reporter's refusal.
[[nodiscard]] bool replay_journal(const std::filesystem::path& journal,
                                  const std::vector<options::plugin_choice>& reporters,
                                  std::optional<bool> bounded, base::log& log, base::output& out);

}  // namespace inferbench::run
