// Names that become paths and addresses: which of them are safe, and their spelling there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hub {

enum class repository_type : std::uint8_t { model, dataset };

/// "org/name" or "name", as the hub allows them.
[[nodiscard]] bool is_repository_id(std::string_view text);
/// A path inside a repository: relative, with slashes, leading nowhere else.
[[nodiscard]] bool is_inside_path(std::string_view text);
/// One part of a path, as an ETag or a commit has to be: nothing that a file system reads.
[[nodiscard]] bool is_plain_name(std::string_view text);
/// 40 hexadecimal digits.
[[nodiscard]] bool is_commit_hash(std::string_view text);
/// 64 hexadecimal digits: the ETag of a file in large storage is its SHA-256.
[[nodiscard]] bool is_sha256(std::string_view text);

/// "models--org--name", the folder of a repository in the cache.
[[nodiscard]] std::string cache_folder_name(repository_type type, std::string_view id);
/// Percent-encoded except letters, digits and "-._~", and slashes if `slashes`.
[[nodiscard]] std::string quoted(std::string_view text, bool slashes);

}  // namespace hub
