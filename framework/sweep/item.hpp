// A combination of parameters: one element of a parameter file, such as
// {"max_num_seqs": 16, "enable_prefix_caching": true}. The order of the keys is the order of the
// file; names of folders and the order of arguments follow it. A value type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/node.hpp"

namespace inferbench::sweep {

/// The key that names a combination and is not a parameter.
inline constexpr std::string_view name_key = "_benchmark_name";

class item {
 public:
  item() = default;
  /// `table`: a node of kind table.
  explicit item(options::node table);

  [[nodiscard]] const options::node& table() const noexcept { return table_; }
  /// True if the item has no key at all.
  [[nodiscard]] bool empty() const noexcept { return table_.items.empty(); }
  /// The text of `_benchmark_name`, otherwise text("-").
  [[nodiscard]] std::string name() const;
  /// key=value of every key except `_benchmark_name`, in order; values in Python's text form.
  [[nodiscard]] std::string text(std::string_view separator = ", ") const;
  /// Whether the item has the key, or the key with every "-" as "_", or with every "_" as "-".
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value of exactly this key; nullptr if there is none.
  [[nodiscard]] const options::node* find(std::string_view key) const { return table_.find(key); }
  /// A copy in which `key` has this value: at its place if the item has the key, otherwise at the
  /// end.
  [[nodiscard]] item with(std::string_view key, options::node value) const;

 private:
  options::node table_ = options::node::table();
};

/// The keys of `below` in order, with the values of `above` if `above` has them, and then the other
/// keys of `above`.
[[nodiscard]] item merged(const item& below, const item& above);

}  // namespace inferbench::sweep
