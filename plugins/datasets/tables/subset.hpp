// Chooses the subset of a data set.
#pragma once

#include <optional>
#include <string>

#include <inferbench/host.hpp>

#include "layout.hpp"
#include "origin.hpp"

namespace tables {

/// Returns the splits of the subset `name`; without a name, of the default or the first one.
/// Subsets are those of the card; without a card, folders of the data set. If the repository has
/// only a loading script or files that cannot be read, they are those of the hub's conversion to
/// Parquet. `again`: there is no warning about README.md. The result has at least one split. Throws
/// ifb::failure (IFB_E_CONFIG, options "path", "hf-subset").
[[nodiscard]] split_list splits_of_subset(ifb::host host, origin& from,
                                          const std::optional<std::string>& name,
                                          bool again = false);

}  // namespace tables
