// The generator's config: a JSON object with "filetype": "generate_conversations".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "distribution.hpp"

namespace conversations {

struct generator_config {
  std::size_t count = 0;           // conversations
  std::vector<std::string> texts;  // files; relative ones are counted from the config's folder
  bool print_stats = false;
  distribution turns;          // messages of user and assistant
  distribution common_prefix;  // tokens that all conversations begin with
  distribution prefix;         // tokens of a conversation's own beginning
  distribution user;           // tokens of a user's message
  distribution answer;         // tokens of an assistant's message
};

/// Throws ifb::failure (option "path"): IFB_E_DATA for a file that is no JSON object, IFB_E_CONFIG
/// for a wrong member. Warns of members that it does not know.
[[nodiscard]] generator_config read_generator_config(ifb::host host, const files::text_file& file);

}  // namespace conversations
