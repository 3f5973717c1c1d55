// Groups of runs with equal values of the given keys. A group is drawn as a figure of its own
// (--fig-by), or as one row or one column of a figure (--row-by, --col-by).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plot/figure_data.hpp"
#include "plot/run_table.hpp"

namespace inferbench::plot {

struct run_group {
  group_key key;
  std::vector<run_row> rows;
};

/// The groups in the order of their first appearance; runs of a group need not be neighbours.
/// Without keys all rows are one group. Throws base::error, with `flag` as position, if a run does
/// not have a key.
[[nodiscard]] std::vector<run_group> grouped(std::span<const run_row> rows,
                                             const std::vector<std::string>& keys,
                                             const std::string& flag);

/// "key=value" of each key, joined with `separator`.
[[nodiscard]] std::string text_of_key(const group_key& key, std::string_view separator);

/// The key as Python prints a dict of texts: {'tensor_parallel_size': '2'}.
[[nodiscard]] std::string python_dict(const group_key& key);

}  // namespace inferbench::plot
