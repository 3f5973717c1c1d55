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
  std::size_t count = 0;           // number of conversations
  std::vector<std::string> texts;  // text files; a relative path is relative to the config's folder
  bool print_stats = false;
  distribution turns;          // number of messages of user and assistant
  distribution common_prefix;  // tokens with which all conversations begin
  distribution prefix;         // tokens of the beginning of one conversation
  distribution user;           // tokens of a user's message
  distribution answer;         // tokens of an assistant's message
};

/// Throws ifb::failure (option "path"): IFB_E_DATA if the file is not a JSON object, IFB_E_CONFIG
/// for an invalid member. Writes a warning for each unknown member.
[[nodiscard]] generator_config read_generator_config(ifb::host host, const files::text_file& file);

}  // namespace conversations
