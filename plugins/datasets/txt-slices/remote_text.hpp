// Reads a text from a URL instead of a file.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/host.hpp>

/// Returns whether `path` is an http or https URL.
[[nodiscard]] bool is_address(std::string_view path);

/// Returns the text at `url` as Python reads a text: UTF-8, with every line ending replaced by
/// "\n". The limits are 64 MiB and ten redirects; a redirect from https to http is refused. Blocks.
/// Throws ifb::failure for the option "path", and IFB_E_CANCELLED if the run is being stopped.
[[nodiscard]] std::string fetch_text(ifb::host host, const std::string& url);
