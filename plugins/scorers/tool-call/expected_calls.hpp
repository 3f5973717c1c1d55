// The calls of tools that a data set expects of an answer.
//
// An expected call has a name, and either the arguments themselves or, like in the Berkeley
// function calling leaderboard, the values that each argument may have:
//
//   {"name": "weather", "arguments": {"city": "Ulm"}}
//   {"name": "weather", "allowed": {"city": ["Ulm", "Ulm, Germany"], "days": [2, ""]}}
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "call_list.hpp"
#include "scorers/common/json_tree.hpp"

namespace scorers {

struct expected_call {
  call exact;                        // without arguments if there are allowed values
  std::optional<json_tree> allowed;  // an object of lists
};

class expected_calls {
 public:
  /// Reads a JSON array of expected calls. Returns nullopt if the text is something else.
  [[nodiscard]] static std::optional<expected_calls> read(std::string_view text);

  /// Returns whether the arguments of all calls are JSON. accepts() must not be called otherwise.
  [[nodiscard]] bool readable() const;
  /// Returns whether at least one call has lists of allowed values.
  [[nodiscard]] bool has_allowed_values() const;
  /// Returns whether each call of an answer is one of the expected calls, and each expected call is
  /// there: as often as it is expected, and in any order. Calls whose arguments are no JSON object
  /// are not expected.
  [[nodiscard]] bool accepts(const std::vector<call>& made) const;

 private:
  std::vector<expected_call> calls_;
};

/// Returns whether an argument, or a value in it, is one of the `allowed` values. A value that is
/// no list stands for itself. Texts are equal if they are after the removal of blanks and of the
/// characters , . / - _ * ^, without regard to the case of ASCII letters, and with ' for ". The
/// members of an allowed object are lists of allowed values in turn; "" in such a list means that
/// the member may be missing. The elements of lists are compared in order.
[[nodiscard]] bool is_allowed(const rapidjson::Value& value, const rapidjson::Value& allowed);

}  // namespace scorers
