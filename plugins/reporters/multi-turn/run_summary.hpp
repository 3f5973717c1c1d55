// The summary of a run: its length and rate, and the statistics of its requests. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "description_table.hpp"
#include "turn_request.hpp"

namespace multi_turn {

/// The requests in the order of their starts.
[[nodiscard]] std::vector<turn_request> by_start(std::vector<turn_request> requests);

/// A share of the requests that a summary leaves out at the start.
struct warmup_share {
  std::string text;  // "25%", as the user wrote it
  double share = 0;  // 0 <= share < 1
};

/// Reads the texts, and sorts them by their share. Throws ifb::failure (IFB_E_CONFIG) that names
/// `option` for a text that is no percentage from 0% to below 100%.
[[nodiscard]] std::vector<warmup_share> warmup_shares(const std::vector<std::string>& texts,
                                                      std::string_view option);

struct run_summary {
  double runtime_s = 0;  // from the first start to the end of the request that started last
  double requests_per_s = 0;
  description_table table;
};

/// The summary of `requests`, which are in the order of their starts, without the first share.
/// `turn_times`: one more row, the time between the starts of two requests of a conversation.
[[nodiscard]] run_summary summarise(std::span<const turn_request> requests, double share,
                                    bool turn_times);

/// The lines of the summary with its table. `share`: empty, or the text of the share that was left
/// out.
[[nodiscard]] std::string summary_text(const run_summary& of, std::string_view share);

/// "Parameters:" and a line for each, below a line of dashes.
[[nodiscard]] std::string parameters_text(std::string_view title,
                                          const std::vector<std::string>& lines);

/// A line of dashes with a line break.
[[nodiscard]] std::string rule();

}  // namespace multi_turn
