// Names that become paths and addresses: checks whether they are safe, and writes them there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hub {

enum class repository_type : std::uint8_t { model, dataset };

/// Returns whether `text` is "org/name" or "name" in a form that the hub allows.
[[nodiscard]] bool is_repository_id(std::string_view text);
/// Returns whether `text` is a path inside a repository: relative, with slashes, and never leading
/// out of the repository.
[[nodiscard]] bool is_inside_path(std::string_view text);
/// Returns whether `text` is a safe file name, as an ETag or a commit must be: it has no characters
/// with a meaning for the file system.
[[nodiscard]] bool is_plain_name(std::string_view text);
/// Returns whether `text` has exactly 40 hexadecimal digits.
[[nodiscard]] bool is_commit_hash(std::string_view text);
/// Returns whether `text` has exactly 64 hexadecimal digits: the ETag of a file in large storage is
/// its SHA-256.
[[nodiscard]] bool is_sha256(std::string_view text);

/// Returns "models--org--name", the folder of a repository in the cache.
[[nodiscard]] std::string cache_folder_name(repository_type type, std::string_view id);

}  // namespace hub
