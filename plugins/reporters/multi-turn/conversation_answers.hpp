// The answers of a run in the conversations of the input file: the output file of the script, and
// the comparison of answers with those that were recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace multi_turn {

class conversation_answers {
 public:
  /// Keeps the text of a successful request, and the answer of the warm-up to the turn before, if
  /// the record has it. A later answer to the same turn replaces it.
  void add(const ifb_record& record);

  [[nodiscard]] bool empty() const noexcept { return answers_.empty(); }

  struct merged {
    std::string text;                      // the output file: a JSON list, indentation of 4 blanks
    std::size_t conversations = 0;         // in the file
    std::size_t compared = 0;              // answers that have a recorded answer
    std::vector<std::string> differences;  // a line for each answer that differs from it
  };

  /// Puts the answers into the conversations of a file in the form of the input file, `json`: an
  /// answer takes the place of the recorded one, or follows a last message of the user. Only
  /// conversations with an answer are in the output. Throws ifb::failure (IFB_E_DATA) if `json` is
  /// not such a file; `path` is for the message.
  [[nodiscard]] merged merge_into(std::string_view json, const std::string& path) const;

 private:
  std::map<std::string, std::map<std::uint32_t, std::string>, std::less<>> answers_;  // by id, turn
};

}  // namespace multi_turn
