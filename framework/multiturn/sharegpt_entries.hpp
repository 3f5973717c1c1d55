// The entries of a ShareGPT file, as the converter reads them.
#pragma once

#include <cstddef>
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
  std::size_t number = 0;  // place in the file, from 1; 0: unknown
};

struct sharegpt_file {
  std::vector<sharegpt_entry> entries;  // those of the right form, in the order of the file
  std::size_t left_out = 0;             // entries of another form
  std::string first_fault;              // "chats.json: entry 3: ..." of the first of them
};

/// Reads the list of {"id", "conversations": [{"from", "value"}, ...]}. Entries of another form are
/// left out and counted. `path` is for messages. Throws base::error with the place for malformed
/// JSON and for a file that is no list, and with the first fault if no entry has the right form.
[[nodiscard]] sharegpt_file parse_sharegpt(std::string_view text, const std::string& path);

}  // namespace inferbench::multiturn
