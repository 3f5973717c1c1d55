// Gives the runs of a comparison to the reporters of a table (inferbench.table-reporter/1): each
// group is a point, and the comparison is the fact `comparison` of the table.
#pragma once

#include <span>
#include <string>

#include "base/log.hpp"
#include "base/output.hpp"
#include "compare/run_groups.hpp"
#include "config/table_reporters.hpp"

namespace inferbench::compare {

/// The facts about the whole comparison, for reporters.
struct compared_groups {
  std::span<const run_group> groups;  // the base first; each has a run
  std::string command;                // the command line of the user, without secrets
  std::string comparison_json;        // an object
  bool interrupted = false;
};

/// Journals are read again, and reporters get their requests; result files have none. Returns false
/// if a reporter has failed. Throws base::error if a reporter refuses, or if a journal cannot be
/// read.
[[nodiscard]] bool report_groups(const compared_groups& what, const config::table_reporters& to,
                                 base::log& log, base::output& out);

}  // namespace inferbench::compare
