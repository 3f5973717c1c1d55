// Paths of figures, and the files that a command writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench-figures/figures.hpp>

#include "plot/figure_data.hpp"
#include "plot/plot_request.hpp"

namespace inferbench::plot {

/// `below` joined to `folder`, as Python's pathlib prints it: an absolute `below` stands alone, and
/// "." and repeated slashes are left out.
[[nodiscard]] std::string joined_path(const std::string& folder, const std::string& below);

/// The path without an ending of the files of a figure: FOLDER/NAME-key=value, sanitised. Throws
/// options::usage_error if no character is left.
[[nodiscard]] std::string figure_path(const std::string& folder, const std::string& name,
                                      const group_key& key);

/// The title of a page: the name of the folder of the experiment and, after a colon, `what`, if it
/// is not empty.
[[nodiscard]] std::string page_title(const std::string& folder, const std::string& what);

/// Creates the folder and its parents. Throws base::error.
void make_figure_folder(const std::string& folder);

/// Replaces the file through a temporary file beside it. Throws base::error.
void write_text(const std::string& path, std::string_view text);

/// Writes PNG and SVG of a figure, as far as the formats say so. Throws base::error.
void write_pictures(const figures::figure& what, const std::string& path,
                    const picture_formats& formats);

/// Writes the page with all figures of a command. Throws base::error.
void write_page(const std::vector<figures::figure>& what, const std::string& title,
                const std::string& path);

}  // namespace inferbench::plot
