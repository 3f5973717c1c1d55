// Files of JSON: an array of objects, or one object on each line.
#pragma once

#include <memory>
#include <vector>

#include <inferbench/host.hpp>

#include "data_file.hpp"

namespace tables {

/// Opens the file as an array if its first character is "[", otherwise as lines; the ending of its
/// name does not matter. A column that a row lacks is null, but a wanted column that none of the
/// first 100 rows has is an error. NaN and infinities become null. Throws ifb::failure (IFB_E_DATA,
/// IFB_E_IO, IFB_E_CONFIG, option "path").
[[nodiscard]] std::unique_ptr<data_file> open_json(ifb::host host, const file_to_open& file,
                                                   std::vector<wanted_column> columns);

}  // namespace tables
