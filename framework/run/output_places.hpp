// Checks, before the first request to a server, whether the reporters of a run can write their
// files. Otherwise the report of a whole run could be lost. Main thread.
#pragma once

#include <span>
#include <string>

#include "config/plan.hpp"
#include "run/journal_path.hpp"

namespace inferbench::run {

/// Throws base::error, with the flag or line that names the file, if a reporter cannot write its
/// file. The file is the value of the reporter's option `file`. Only the folder is checked if this
/// value contains the name of the result file, which is not known yet, and for a reporter without
/// this value, but with the general option `result-dir`. Standard output is not checked. A missing
/// folder is an error unless report_files or the reporter makes it. A reporter may overwrite an
/// existing file or replace it with a new file, so an error is thrown only if neither is possible.
/// The check makes an empty file in the folder and removes it. `which`: any run of the series; the
/// file names of the runs differ only in a number.
void require_places(std::span<const options::plugin_choice> reporters,
                    const place_in_series& which);

/// Throws base::error with the position `flag` if the file can neither be overwritten nor be
/// replaced with a new file. A missing folder is an error.
void require_writable_file(const std::string& file, const std::string& flag);

}  // namespace inferbench::run
