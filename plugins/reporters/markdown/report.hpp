// The report of one run in Markdown, for a pull request.
#pragma once

#include <string>

#include "reporters/common/figures.hpp"
#include "reporters/common/result.hpp"

namespace reporters {

/// Returns the whole text. `title` is a text of the user; empty: model and backend are the title.
[[nodiscard]] std::string markdown_report(const origin& from, const ifb_summary& summary,
                                          const std::string& title);

}  // namespace reporters
