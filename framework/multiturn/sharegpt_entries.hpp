// The entries of a ShareGPT file, as the converter reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace inferbench::multiturn {

/// A conversation, or a part of a conversation. The id of a part is "BASE_NUMBER".
struct sharegpt_entry {
  std::string id;
  struct turn {
    std::string from;
    std::string value;
  };
  std::vector<turn> turns;
};

/// Reads the list of {"id", "conversations": [{"from", "value"}, ...]}. `path` is for messages.
/// Throws base::error with the place for malformed JSON, and with the number of the entry for
/// another form.
[[nodiscard]] std::vector<sharegpt_entry> parse_sharegpt(std::string_view text,
                                                         const std::string& path);

}  // namespace inferbench::multiturn
