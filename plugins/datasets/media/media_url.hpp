// URLs of media that the client reads itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/host.hpp>

namespace row_media {

// The limits of fetch_media().
inline constexpr std::size_t most_fetched_bytes = std::size_t{64} << 20U;
inline constexpr int most_redirects = 10;
inline constexpr std::uint64_t longest_fetch_ns = 120'000'000'000;

/// Returns the content at an http or https URL. Redirects lead only to http and https URLs, and
/// never from https to http. Blocks for at most longest_fetch_ns. Throws unusable, and ifb::failure
/// (IFB_E_CANCELLED) if the run is being stopped.
[[nodiscard]] std::string fetch_media(ifb::host host, const std::string& url);

[[nodiscard]] bool is_web_url(std::string_view text);
[[nodiscard]] bool is_file_url(std::string_view text);

/// Throws unusable if `text`, which is no URL of http, https or file, is a URL: it begins with
/// another scheme and "://", or with "data:".
void refuse_other_scheme(std::string_view text);

/// Returns the path in a URL for which is_file_url() is true: the text after file:// and
/// "localhost", percent-decoded. The path may be relative.
[[nodiscard]] std::string path_of_file_url(std::string_view url);

}  // namespace row_media
