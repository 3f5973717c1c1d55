// A row's prompt of any type, which is sent to the server unchanged. It may be other than a text
// because no tokenizer counts it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/jsonl.hpp"

namespace prompts {

/// | the member contains                         | the sample has                             |
/// | ------------------------------------------- | ------------------------------------------ |
/// | a text                                      | this text                                  |
/// | a list of texts                             | these texts: query, documents              |
/// | a list of token ids, or of lists of ids     | these ids                                  |
/// | a list of objects, one of them with "role"  | these objects as chat messages             |
/// | a list of objects with "type"               | these objects as parts of one message      |
/// | an object                                   | this object, merged into the request       |
class any_prompt {
 public:
  /// Reads the member `name`. The row must not change while this object is used. Throws
  /// ifb::failure like row.refuse() for a value that is not in the table.
  any_prompt(const files::json_row& row, const char* name);

  /// Fills in prompt, messages, shape and input length. The length of token ids is known; every
  /// other prompt counts as one token.
  void put(ifb::arena memory, ifb_sample& out) const;

 private:
  [[nodiscard]] static std::uint32_t shape_of(const rapidjson::Value& value);
  void put_messages(ifb::arena memory, ifb_sample& out) const;
  [[nodiscard]] ifb_part part_of(const rapidjson::Value& value, ifb::arena memory) const;

  const rapidjson::Value& value_;
  std::uint32_t shape_;               // ifb_prompt_shape; 0: the value is not a valid prompt
  std::vector<std::string> objects_;  // as JSON text, if the prompt has objects
};

}  // namespace prompts
