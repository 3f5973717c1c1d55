// A row's prompt of any type, which goes to the server unchanged: without a tokenizer that counts
// it, it need not be a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/jsonl.hpp"

namespace prompts {

/// | the member holds                            | the sample has                 |
/// | ------------------------------------------- | ------------------------------ |
/// | a text                                      | that text                      |
/// | a list of texts                             | these texts: query, documents  |
/// | a list of token ids, of lists of them       | the ids                        |
/// | a list of objects, one of them with "role"  | them as chat messages          |
/// | a list of objects with "type"               | them as parts of one message   |
/// | an object                                   | it, merged into the request    |
class any_prompt {
 public:
  /// Reads the member `name`. The row must stay as it is while this is used. Throws ifb::failure
  /// as row.refuse() does for a value that is not in the table.
  any_prompt(const files::json_row& row, const char* name);

  /// Fills in prompt, messages, shape and the length: that of ids is known, all else counts as
  /// one token.
  void put(ifb::arena memory, ifb_sample& out) const;

 private:
  [[nodiscard]] static std::uint32_t shape_of(const rapidjson::Value& value);
  void put_messages(ifb::arena memory, ifb_sample& out) const;
  [[nodiscard]] ifb_part part_of(const rapidjson::Value& value, ifb::arena memory) const;

  const rapidjson::Value& value_;
  std::uint32_t shape_;               // ifb_prompt_shape, or 0
  std::vector<std::string> objects_;  // as JSON, if there are objects
};

}  // namespace prompts
