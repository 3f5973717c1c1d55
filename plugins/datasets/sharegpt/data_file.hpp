// Finds the data: a local file, or ShareGPT's original file in a data set of the hub.
#pragma once

#include <string>

#include <inferbench/host.hpp>

#include "common/hub/environment.hpp"

namespace sharegpt {

/// The name of the file in anon8231489123/ShareGPT_Vicuna_unfiltered and its copies.
inline constexpr const char* name_on_hub = "ShareGPT_V3_unfiltered_cleaned_split.json";

/// If `text` is a folder that contains ShareGPT's original file, returns this file. If nothing with
/// the name `text` exists, `text` may be a data set of the hub: it must have the form "owner/name"
/// without the ending of a data file. In this case, returns the file in the cache that Hugging
/// Face's libraries share, after a download if necessary. In all other cases returns `text`. Throws
/// ifb::failure (option "path") if this data set or its file cannot be downloaded. [any thread]
[[nodiscard]] std::string locate(ifb::host host, const hub::environment& settings,
                                 const std::string& text);

}  // namespace sharegpt
