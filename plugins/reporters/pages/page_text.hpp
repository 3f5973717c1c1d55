// Texts from outside, such as an error of the server, in the forms in which a page can contain
// them. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace reporters {

/// Returns JSON that can stand in a script element: "<" becomes \u003c, so no text in it can end
/// the element. `json` must be ASCII, as json_writer writes it.
[[nodiscard]] std::string in_script(std::string_view json);

/// Returns text that can stand in an HTML element: markup is escaped; invalid UTF-8 and control
/// characters become U+FFFD.
[[nodiscard]] std::string in_html(std::string_view text);

/// Replaces user name and password of every URL in a text: "no route to http://(cut)@host/".
[[nodiscard]] std::string without_passwords(std::string_view text);

}  // namespace reporters
