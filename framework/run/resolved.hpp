// Converts the plan to the description of a run (ifb::run_description), writes the description into
// ifb_run.config_json, and reads it from a journal. Reporters use the names in it; `inferbench
// report` uses it as the input of the figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <inferbench/run_description.hpp>

#include "config/plan.hpp"
#include "metrics/resolve.hpp"

namespace inferbench::run {

/// The part of the description that depends only on the plan. The server's model, the tokenizer's
/// name, the schedule, the number of requests and the number of the run are missing.
[[nodiscard]] ifb::run_description description_of(const config::plan& plan);

/// Adds the schedule. If `self_timed` is true, the times of the dataset replace `traffic`.
void describe_schedule(const schedule::pattern& traffic, bool self_timed,
                       ifb::run_description& into);

/// The conditions that answers must meet. "ignore_eos" in the option extra-body has priority over
/// the option ignore-eos.
[[nodiscard]] metrics::expectations expectations_of(const config::figures& figures,
                                                    const options::plugin_choice& backend);

/// The text of `plan_json` with the description as its last member, "resolved".
[[nodiscard]] std::string config_json(const std::string& plan_json,
                                      const ifb::run_description& run);

/// The description that config_json() wrote. Throws base::error if it is missing or the JSON is
/// nested too deeply (journal_json.hpp).
[[nodiscard]] ifb::run_description description_from(const std::string& config_json);

/// `config_json` with "summary" set to "bounded" (figures from histograms) or "exact". Throws
/// base::error if it is not JSON or is nested too deeply.
[[nodiscard]] std::string with_summary(const std::string& config_json, bool bounded);
/// `config_json` with other goals, unless `goals` is nullopt. `certain`: a goal that is not certain
/// fails; false changes nothing. Throws as with_summary().
[[nodiscard]] std::string with_goals(const std::string& config_json,
                                     const std::optional<std::vector<std::string>>& goals,
                                     bool certain);

/// What `inferbench report` changes in the description of a run.
struct description_changes {
  std::optional<bool> bounded{};                    // with_summary()
  std::optional<std::vector<std::string>> goals{};  // with_goals()
  bool certain = false;
};

[[nodiscard]] std::string with_changes(const std::string& config_json,
                                       const description_changes& changes);

}  // namespace inferbench::run
