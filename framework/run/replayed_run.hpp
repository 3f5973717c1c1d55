// The run of a journal, given to its reporters again.
#pragma once

#include <filesystem>
#include <vector>

#include "base/log.hpp"
#include "records/journal_reader.hpp"
#include "report/fanout.hpp"
#include "run/results.hpp"

namespace inferbench::run {

struct replay_outcome {
  bool reporters_failed = false;
  bool thresholds_failed = false;  // a goal is not met, in one of the runs
};

/// Reads all records of `reader`, which has read none of them yet, and reports the run to
/// `reporters`. `journal`: the file, for messages. `run`: what the reporters are told about the
/// run. Damage and a missing end are logged as warnings; damage is also the fact "journal_damage".
/// Throws base::error if the configuration of the run or the file cannot be read, or if a reporter
/// refuses the run.
[[nodiscard]] results::final_result replay_run(records::journal_reader& reader,
                                               const std::filesystem::path& journal,
                                               const records::run_information& run,
                                               std::vector<report::target> reporters,
                                               base::log& log);

}  // namespace inferbench::run
