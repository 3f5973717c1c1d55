// The plots of a comparison: the metric against the x axis, with a curve for each file.
#pragma once

#include <string>
#include <string_view>

#include <inferbench-figures/figures.hpp>

#include "perf/compare_frame.hpp"
#include "perf/compare_options.hpp"

namespace inferbench::perf {

/// The curves of the rows of a group. TTFT and TPOT have a dashed line at their limit. Points with
/// a missing or infinite coordinate are not drawn. Pure function.
[[nodiscard]] figures::figure comparison_plot(const compared_frame& part, std::string_view x_axis,
                                              const compared_limits& limits);

/// Whether a curve of a file has a point.
[[nodiscard]] bool has_points(const figures::figure& what) noexcept;

/// The figure as an SVG element for a page. `id` is unique on the page. Uses a file in $TMPDIR for
/// a moment. Throws base::error if the file cannot be written.
[[nodiscard]] std::string inline_svg(const figures::figure& what, const std::string& id);

}  // namespace inferbench::perf
