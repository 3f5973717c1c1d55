// Which parameters `inferbench sweep startup` applies. The parameter files of a server have options
// that a start-up benchmark does not have, such as --port; they are left out.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/item.hpp"

namespace inferbench::sweep {

/// The start-up benchmark, as the command line knows it.
struct startup_benchmark {
  /// The command without --startup-cmd.
  std::vector<std::string> command{"inferbench", "startup"};
  /// The names, with "_" for "-", of the options that `command` takes besides those of the engine
  /// vLLM. `backends`: the values of the parameter `backend` in the parameter files, which can
  /// choose an engine with further options. Empty: none.
  std::function<std::set<std::string>(const std::vector<std::string>& command,
                                      const std::vector<std::string>& backends)>
      options;
};

// Pure functions.

/// Whether the parameter is applied: `_benchmark_name`; `config`; and a key whose part before the
/// first ".", with "_" for "-", is an option of the engine vLLM (engine_option_names.hpp) or an
/// element of `own`.
[[nodiscard]] bool is_startup_parameter(std::string_view key, const std::set<std::string>& own);

struct startup_items {
  std::vector<item> items;            // in order, without the other parameters
  std::vector<std::string> left_out;  // a sentence for each item that has lost parameters
};

/// The combinations of a parameter file with the parameters that are applied. `strict`: throws
/// base::error, with the position of the item, instead of leaving parameters out.
[[nodiscard]] startup_items with_startup_parameters(const std::vector<item>& from,
                                                    const std::set<std::string>& own, bool strict);

/// The different values of the parameter `backend` in Python's text form.
[[nodiscard]] std::vector<std::string> backends_in(const std::vector<item>& serve,
                                                   const std::vector<item>& bench);

}  // namespace inferbench::sweep
