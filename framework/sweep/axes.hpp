// The axes of a sweep in TOML: their values, and the combinations of all axes.
#pragma once

#include <string>
#include <vector>

#include "options/node.hpp"
#include "sweep/item.hpp"

namespace inferbench::sweep {

/// The parameters of a table with their full names: { load = { a = [1] }, "x.y" = [2] } has the
/// names load.a and x.y. Lists end a name; so do other values. inf and nan become texts,
/// because results are JSON, which does not have them. Throws usage_error for a name that is there
/// twice.
[[nodiscard]] item flat(const options::node& table);

/// Reads axes and zips and multiplies them.
class axis_product {
 public:
  /// `title`: the table for messages, "sweep" or "sweep.server". `keyed`: every name must be the
  /// path of a key, TABLE.KEY.
  axis_product(std::string title, bool keyed) : title_(std::move(title)), keyed_(keyed) {}

  /// The table `axes`: each parameter is an axis with a list of values. nullptr: no table.
  void add_axes(const options::node* axes);
  /// The list of tables `zip`: each table is an axis whose parameters vary together, so their lists
  /// have the same length. nullptr: no list. A list `_benchmark_name` in it names the combinations;
  /// with further axes, the names or parameters of all axes are joined with "-".
  void add_zips(const options::node* zips);

  /// All combinations; the first axis is outermost. One empty item if there is no axis. Throws
  /// base::error if there are more than most_combinations.
  [[nodiscard]] std::vector<item> items() const;
  [[nodiscard]] bool empty() const noexcept { return axes_.empty(); }

 private:
  void add_axis(const item& lists, const base::source_position& where);
  void require_new(const std::string& name, const base::source_position& where) const;

  std::string title_;
  bool keyed_;
  std::vector<std::vector<item>> axes_;
};

}  // namespace inferbench::sweep
