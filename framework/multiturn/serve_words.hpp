// The translation of the script's flags to the arguments of `inferbench serve`. Pure functions, but
// serve_words() looks at the place of the workbook.
#pragma once

#include <string>
#include <vector>

#include "multiturn/script_input.hpp"
#include "multiturn/script_options.hpp"

namespace inferbench::multiturn {

/// The files of a run beside those that the user named.
struct script_files {
  std::string excel;      // path of the workbook; empty: none
  std::string generated;  // path of a temporary file for generated conversations; needed if
                          // wants_conversations() and the input is a configuration
};

/// Whether the report compares or repeats the texts of the conversations.
[[nodiscard]] bool wants_conversations(const script_options& options) noexcept;

/// The arguments after `serve`; the words of the user for serve come last, so they win. Secrets are
/// among them as values of --header, which serve cuts in what it prints. Throws
/// options::usage_error if the workbook is the same file as a file that the user named.
[[nodiscard]] std::vector<std::string> serve_words(const script_options& options,
                                                   const script_input& input,
                                                   const script_files& files);

/// The name of the workbook, in the working directory:
/// "statistics_2_clients__28-11-2026_14-03-59.xlsx". `unix_s`: the time, which is written in local
/// time.
[[nodiscard]] std::string workbook_name(std::int64_t clients, std::int64_t unix_s);

/// The lines about flags without a full effect, for the log.
[[nodiscard]] std::vector<std::string> script_notes(const script_options& options);

}  // namespace inferbench::multiturn
