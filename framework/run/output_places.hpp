// Looks, before anything is asked of a server, whether the reporters of a run can write their
// files: a place that cannot be written would lose the report of a whole run.
#pragma once

#include <span>
#include <string>

#include "config/plan.hpp"
#include "run/journal_path.hpp"

namespace inferbench::run {

/// Throws base::error, with the flag or line that names the file, if a reporter cannot write its
/// file. For a reporter with an option `file` that has a value, this is that file. For a reporter
/// with the general option `result-dir`, only the folder is known. A missing folder is an error
/// unless report_files or the reporter makes it. Only files that cannot be written whatever the
/// reporter does are refused: a reporter may replace a file or write into it. To find out, an empty
/// file is made in the folder and removed. `which`: a run of the series; the names of all runs
/// differ by a number only.
void require_places(std::span<const options::plugin_choice> reporters,
                    const place_in_series& which);

/// Throws base::error with the position `flag` if the file cannot be written whatever is done. No
/// folder is made for it.
void require_writable_file(const std::string& file, const std::string& flag);

}  // namespace inferbench::run
