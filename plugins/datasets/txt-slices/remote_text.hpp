// A text from an address instead of a file.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/host.hpp>

/// Whether it is an http or https address.
[[nodiscard]] bool is_address(std::string_view path);

/// The text at `url`, as Python reads a text: UTF-8, with "\n" for all ends of lines; at most 64
/// MiB, after at most ten redirects, none from https to http. Blocks. Throws ifb::failure for the
/// option "path", IFB_E_CANCELLED when the run is being stopped.
[[nodiscard]] std::string fetch_text(ifb::host host, const std::string& url);
