// A dataset's reference to an image or a video, as a URI that a server can fetch.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace files {

/// http://, https://, file:// and data: stay unchanged. Anything else is a path and
/// becomes file:// with the absolute path, a relative one counted from `folder`, which is
/// absolute; nothing is percent-encoded.
[[nodiscard]] std::string media_uri(std::string_view text, std::string_view folder);

/// A part of `kind` (IMAGE or VIDEO) by reference; `uri` must live as long as it.
[[nodiscard]] ifb_part media_part(ifb_part_kind kind, std::string_view uri);

/// The absolute folder of the file at `path`.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace files
