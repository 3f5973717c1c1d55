// Addresses as redirects need them.
#pragma once

#include <optional>
#include <string>

namespace hub {

/// `location` as seen from `base`, absolute and http or https; nullopt for any other address, and
/// for one that leads from https to http.
[[nodiscard]] std::optional<std::string> resolved(const std::string& base,
                                                  const std::string& location);
/// "https://host:443", in lower case: the receiver of a request. Empty if `url` is no address.
[[nodiscard]] std::string origin_of(const std::string& url);

}  // namespace hub
