// The facts about the input file that the command needs before the run: the number of
// conversations, for its checks, and the parameters that the report repeats. The data set checks
// the file itself.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace inferbench::multiturn {

struct script_input {
  std::size_t conversations = 0;
  bool generated = false;  // the file is a configuration, not a list of conversations
  // The parameters of a configuration in its order; a distribution is a text such as
  // "uniform(min=12, max=18)". Empty for a list.
  std::vector<std::pair<std::string, std::string>> parameters;
};

/// Reads the file. Throws base::error, with the place, if the file cannot be read, is no JSON, or
/// is neither a list nor a configuration with a number of conversations.
[[nodiscard]] script_input read_script_input(const std::string& path);

}  // namespace inferbench::multiturn
