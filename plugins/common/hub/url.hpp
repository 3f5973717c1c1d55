// The two things that a redirect needs of an address.
#pragma once

#include <optional>
#include <string>

namespace hub {

/// `location` as seen from `base`, absolute and http or https; nothing where it is no such address,
/// or leads from https to http.
[[nodiscard]] std::optional<std::string> resolved(const std::string& base,
                                                  const std::string& location);
/// "https://host:443", in lower case: who is given what is sent there. Empty for no address.
[[nodiscard]] std::string origin_of(const std::string& url);

}  // namespace hub
