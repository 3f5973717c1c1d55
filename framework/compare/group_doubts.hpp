// Facts beside the figures that a reader of a comparison must know: settings that differ between
// the groups, and runs that are doubtful. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/run_groups.hpp"
#include "compare/run_settings.hpp"

namespace inferbench::compare {

/// The differences of the settings of the groups.
[[nodiscard]] std::vector<setting_difference> differing_settings(std::span<const run_group> groups);

/// Sentences about runs: without a completed request, interrupted, with a client that did not keep
/// up, with different settings within a group, with failed requests, and with shares of the prefix
/// cache that differ by more than 5 percentage points between groups. `same_within`: a group whose
/// share of failed requests is above that of the base by more than this is named as such.
[[nodiscard]] std::vector<std::string> doubts_of(std::span<const run_group> groups,
                                                 double same_within);

/// Whether a group other than the base fails more requests than the base, by a share of more than
/// `same_within`. Latencies of the requests that succeed do not show this.
[[nodiscard]] bool fails_more(std::span<const run_group> groups, double same_within);

/// "base: 8 runs of serve", a line for each group.
[[nodiscard]] std::string groups_text(std::span<const run_group> groups);

/// The lines about settings; empty if there is no difference. At most 20 settings are listed.
[[nodiscard]] std::string differences_text(std::span<const run_group> groups,
                                           std::span<const setting_difference> differences);

}  // namespace inferbench::compare
