// The metrics pages of a run: those of the servers under test, and those that the user names.
#pragma once

#include <vector>

#include "config/plan.hpp"
#include "observe/scraper.hpp"
#include "services/target.hpp"

namespace inferbench::observe {

/// The pages that `wanted` asks for; empty if it asks for none. The first are `/metrics` of the
/// base URLs, in their order, unless `of_servers` is false: an engine has no server. A URL without
/// a path means its /metrics. API key and the user's headers are sent to pages with the scheme,
/// host and port of a base URL, and to no other page. `servers` must outlive the pages. Throws
/// base::error for a bad URL, an unknown host, and too many pages.
[[nodiscard]] std::vector<scraper::page> pages_of(const config::observing& wanted,
                                                  const services::target& servers, bool of_servers);

}  // namespace inferbench::observe
