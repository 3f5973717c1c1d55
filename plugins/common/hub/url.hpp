// URLs, as redirects need them.
#pragma once

#include <optional>
#include <string>

namespace hub {

/// Resolves `location` relative to `base`. Returns an absolute http or https URL; nullopt for any
/// other URL, and for a redirect from https to http.
[[nodiscard]] std::optional<std::string> resolved(const std::string& base,
                                                  const std::string& location);
/// Returns "https://host:443", in lower case: the receiver of a request. Empty if `url` is not a
/// valid URL.
[[nodiscard]] std::string origin_of(const std::string& url);

}  // namespace hub
