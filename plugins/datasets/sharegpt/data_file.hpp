// Finds the data: a local file, or ShareGPT's own file in a dataset of the hub.
#pragma once

#include <string>

#include <inferbench/host.hpp>

#include "common/hub/environment.hpp"

namespace sharegpt {

/// The file's name in anon8231489123/ShareGPT_Vicuna_unfiltered and its copies.
inline constexpr const char* name_on_hub = "ShareGPT_V3_unfiltered_cleaned_split.json";

/// `text` itself, or ShareGPT's own file in the folder of that name. If nothing of that name exists
/// and it reads "owner/name", without the ending of a data file: the file in the cache that Hugging
/// Face's libraries share, fetched if need be; throws ifb::failure (option "path") if that dataset
/// or its file cannot be fetched. [any]
[[nodiscard]] std::string locate(ifb::host host, const hub::environment& settings,
                                 const std::string& text);

}  // namespace sharegpt
