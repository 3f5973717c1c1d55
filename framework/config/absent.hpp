// Names and flags of upstream's datasets, for those that this installation
// does not have. A script may give a flag for a dataset that it does not use; it is then read as
// upstream's parser reads it, and told to be without effect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/flag_table.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Upstream's name for all datasets that it takes from a hub by their id.
inline constexpr std::string_view hub_dataset = "hf";

/// Flags that `known` does not spell; the group names the dataset ("dataset hf").
[[nodiscard]] std::vector<options::option> absent_options(const flag_table& known);

/// Checks the value of a flag that has no effect. Upstream's parser reads every value, so the type
/// counts and the range does not. `declared`: by a plugin, or by absent_options(). Answers what was
/// said. Throws usage_error.
options::option_value check_idle(const options::option& declared, const options::node& given,
                                 const options::environment& env);

/// The dataset of ours that has the samples which upstream's `hf` makes of that id; empty: none.
[[nodiscard]] std::string_view dataset_of_hub_id(std::string_view id) noexcept;

/// The remedy for a dataset that upstream has and this program does not; empty: it is no such
/// dataset.
[[nodiscard]] std::string instead_of_dataset(std::string_view name);

}  // namespace inferbench::config
