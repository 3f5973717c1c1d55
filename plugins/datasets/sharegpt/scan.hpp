// Finds the records of the file in one pass.
#pragma once

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "record_index.hpp"

namespace sharegpt {

enum class layout {
  pairs,         // a row is a record with at least two turns
  conversations  // a row is a conversation, which has one or several records
};

/// Drops unusable records and writes one line to the log for each reason. They do not count as
/// rows, so the list to be shuffled is the same as in upstream. Throws ifb::failure if the file is
/// not a JSON array, and IFB_E_CANCELLED if the run is being stopped.
[[nodiscard]] record_index scan(ifb::host host, const files::text_file& file, layout wanted);

}  // namespace sharegpt
