// The settings of limit::judge for a load, from the flags of `inferbench find`, and the check that
// a search with these flags can find a limit. Pure.
#pragma once

#include <vector>

#include "config/request.hpp"
#include "limit/judge.hpp"

namespace inferbench::find {

/// `least_step`: judge_settings::least_step.
[[nodiscard]] limit::judge_settings judge_settings_of(const config::find_request& asked,
                                                      double load, double least_step);

/// Throws base::error if a setting has no meaning, or if no run could pass within the requests and
/// the time of a probe.
void require_possible(const config::find_request& asked, const std::vector<limit::part>& parts);

}  // namespace inferbench::find
