// The description of a run (ifb::run_description) on its way from the plan into
// ifb_run.config_json, and from a journal back. Reporters take names from it, and `inferbench
// report` takes from it everything that the figures depend on.
#pragma once

#include <string>

#include <inferbench/run_description.hpp>

#include "config/plan.hpp"
#include "metrics/resolve.hpp"

namespace inferbench::run {

/// As far as the plan alone gives it. The server's model, the tokenizer's name, the schedule, the
/// number of requests and of the run are missing.
[[nodiscard]] ifb::run_description description_of(const config::plan& plan);

/// Adds the schedule. `self_timed`: the times of the dataset take the place of `traffic`.
void describe_schedule(const schedule::pattern& traffic, bool self_timed,
                       ifb::run_description& into);

/// The conditions for answers. A body that the user lays over each request has the last word.
[[nodiscard]] metrics::expectations expectations_of(const config::figures& figures,
                                                    const options::plugin_choice& backend);

/// plan.json with the description as its last member, "resolved".
[[nodiscard]] std::string config_json(const std::string& plan_json,
                                      const ifb::run_description& run);

/// The description that config_json() wrote. Throws base::error if it is missing, or nested too
/// deeply (journal_json.hpp).
[[nodiscard]] ifb::run_description description_from(const std::string& config_json);

/// `config_json` with figures from histograms (`bounded`), or exact figures. Throws base::error
/// if it is no JSON, or nested too deeply.
[[nodiscard]] std::string with_summary(const std::string& config_json, bool bounded);

}  // namespace inferbench::run
