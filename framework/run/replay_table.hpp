// Reports several runs side by side, from their journals.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "run/replayed_run.hpp"
#include "run/resolved.hpp"

namespace inferbench::run {

/// Facts of the caller about the table, beside its journals. The texts are the defaults if empty.
struct table_texts {
  std::vector<std::string> labels{};  // unique, one line each, in the order of the journals
  std::string command{};              // the command line of the user, without secrets
  // Members that are added to the facts of the table, each as name and JSON value.
  std::vector<std::pair<std::string, std::string>> facts{};
};

/// The runs come in the order of `journals`; each is a point of its own, because journals do not
/// say whether runs repeat each other. Each journal is read once, and the figures of one run are in
/// memory at a time. The other parameters, the damage and the result are as in replay_journal().
/// All journals are opened before any reporter is created. Throws base::error if a file is not a
/// journal or its format is unknown; if a reporter does not offer inferbench.table-reporter/1; and
/// if a reporter refuses the table.
[[nodiscard]] replay_outcome replay_table(const std::vector<std::filesystem::path>& journals,
                                          const std::vector<options::plugin_choice>& reporters,
                                          const config::server& server,
                                          const description_changes& changes, base::log& log,
                                          base::output& out, const table_texts& told = {});

}  // namespace inferbench::run
