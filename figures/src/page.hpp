// The page with the charts. web/build.mjs makes the page with two place marks: {{title}} in the
// element `title`, and {{data}} in the body. The data are JSON in a script element that browsers do
// not run; docs/plots.md describes them. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench-figures/figures.hpp>

namespace figures {

/// The data of the page in ASCII, without any '<'. NaN is null; infinite numbers are the texts
/// "inf" and "-inf".
[[nodiscard]] std::string page_data(const std::vector<figure>& what, const std::string& title);

/// The page of `pattern`, a text with the place marks. Throws std::runtime_error if a mark is
/// missing.
[[nodiscard]] std::string filled_page(std::string_view pattern, const std::string& title,
                                      std::string_view data);

}  // namespace figures
