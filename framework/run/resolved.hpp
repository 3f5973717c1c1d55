// What a run turned out to be once server and plugins were asked: the object
// "resolved" inside config_json. Reporters take names from it, and `inferbench
// report` takes from a journal what the figures depend on.
#pragma once

#include <cstdint>
#include <string>

#include "config/plan.hpp"
#include "metrics/context.hpp"
#include "metrics/resolve.hpp"
#include "run/journal_path.hpp"

namespace inferbench::run {

/// Facts that the plan alone does not hold.
struct facts {
  std::string model_id;      // as results name it
  std::string tokenizer_id;  // empty: none
  bool pooling = false;
  bool self_timed = false;      // arrivals come from the dataset: no rate
  place_in_series which{};      // of the runs of --num-runs
  std::string payload_model{};  // as requests name it
};

/// All but duration and planned count.
[[nodiscard]] metrics::context context_of(const config::plan& plan, const facts& found);

/// The conditions for its answers. A body that the user lays over each request has the last word.
[[nodiscard]] metrics::expectations expectations_of(const config::plan& plan);

/// plan.json with "resolved" as its last member.
[[nodiscard]] std::string config_json(const config::plan& plan, const facts& found,
                                      const metrics::context& context);

/// The context that config_json() wrote, without the duration; throws base::error when it is not
/// there, or nested too deeply (journal_json.hpp).
[[nodiscard]] metrics::context context_from(const std::string& config_json);

/// `config_json` as if the run had been told to make its figures in that way. Throws base::error
/// for what is no JSON, or nested too deeply.
[[nodiscard]] std::string with_summary(const std::string& config_json, bool bounded);

}  // namespace inferbench::run
