#include "media_uri.hpp"

#include <filesystem>

#include <inferbench/text.hpp>

namespace files {

std::string media_uri(std::string_view text, std::string_view folder) {
  for (const std::string_view scheme : {"http://", "https://", "file://", "data:"})
    if (text.starts_with(scheme)) return std::string(text);
  // If the right side of `/` is an absolute path, it replaces the left side.
  return "file://" + (std::filesystem::path(folder) / text).lexically_normal().string();
}

ifb_part media_part(ifb_part_kind kind, std::string_view uri) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  out.mime = kind == IFB_PART_VIDEO ? "video/*" : "image/*";  // the server detects the exact type
  out.uri = ifb::str(uri);
  return out;
}

std::string folder_of(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().parent_path().string();
}

}  // namespace files
