// The header `Link` of an answer (RFC 8288), which names the next page of a listing.
#pragma once

#include <string>
#include <string_view>

namespace hub {

/// Returns the URL of the first link in `header` with the relation type "next", as the server wrote
/// it: it may be relative. Empty if there is no such link. Text that is not a link is skipped up to
/// the next comma; a URL without its ">" ends the search.
[[nodiscard]] std::string next_page(std::string_view header);

}  // namespace hub
