// Finds the records of a file in the format of ShareGPT, in one pass.
#pragma once

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "record_index.hpp"

namespace sharegpt {

enum class layout {
  pairs,         // a row is a record with at least two turns
  conversations  // a row is a conversation, which has one or several records
};

/// Returns the rows of the file; a row becomes at most one sample. Unusable records are dropped,
/// with one line in the log for each reason. Dropped records do not count as rows, so the shuffle
/// has the same input as upstream's. Throws ifb::failure if the file is not a JSON array, and
/// IFB_E_CANCELLED if the run is being stopped.
[[nodiscard]] record_index scan(ifb::host host, const files::text_file& file, layout wanted);

}  // namespace sharegpt
