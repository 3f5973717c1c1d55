// One pass over the file, which finds its records.
#pragma once

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "record_index.hpp"

namespace sharegpt {

enum class layout {
  pairs,         // a row is a record with two turns or more
  conversations  // a row is a conversation, of a record or of several
};

/// Drops unusable records, with a line in the log for each reason: they do not count as rows, so
/// that the list to be shuffled is upstream's. Throws ifb::failure
/// for a file that is no array of JSON, and IFB_E_CANCELLED when the run is being stopped.
[[nodiscard]] record_index scan(ifb::host host, const files::text_file& file, layout wanted);

}  // namespace sharegpt
