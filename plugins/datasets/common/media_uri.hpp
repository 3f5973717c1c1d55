// Turns a dataset's reference to an image or a video into a URI that a server can fetch.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace files {

/// Returns URIs that begin with http://, https://, file:// or data: unchanged. Any other text is a
/// path and becomes file:// with the absolute path. A relative path is relative to `folder`, which
/// must be absolute. Nothing is percent-encoded.
[[nodiscard]] std::string media_uri(std::string_view text, std::string_view folder);

/// Returns a part of `kind` (IMAGE or VIDEO) that refers to `uri`, which must outlive the part.
[[nodiscard]] ifb_part media_part(ifb_part_kind kind, std::string_view uri);

/// Returns the absolute path of the folder that contains the file at `path`.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace files
