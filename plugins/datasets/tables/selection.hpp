// The files of the rows that were asked for: of one subset, and of one split or, for a data set
// that is loaded as a whole, of a sum of slices of splits.
#pragma once

#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "origin.hpp"
#include "rows.hpp"
#include "split_text.hpp"

namespace tables {

/// One term of the sum; a whole split if it is not sliced.
struct selected_split {
  split_slice slice;
  std::vector<std::string> files;  // in the order of the split; not empty
};

/// Throws ifb::failure (IFB_E_CONFIG, options "path", "hf-subset", "hf-split") with the splits or
/// subsets that there are. Writes a line to the log for each choice that the user did not make.
[[nodiscard]] std::vector<selected_split> select_files(ifb::host host, origin& from,
                                                       const request& what);

}  // namespace tables
