// The members that --turn-body lays over the body of each request of a conversation. Values that
// differ from turn to turn have placeholders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferbench::run {

/// Immutable after construction; any thread.
class turn_body {
 public:
  static constexpr std::string_view answer_tokens = "$answer_tokens";
  static constexpr std::string_view least_answer_tokens = "$least_answer_tokens";
  static constexpr std::string_view conversation_id = "$conversation_id";

  /// No members.
  turn_body() = default;
  /// `json`: an object; a member whose value is the text "$answer_tokens", "$least_answer_tokens"
  /// or
  /// "$conversation_id" has the value of the turn. Empty: no members. Throws base::error for any
  /// other text.
  explicit turn_body(std::string_view json);

  [[nodiscard]] bool empty() const noexcept { return members_.empty(); }

  /// Whether a member has "$answer_tokens". The member of the backend for the length is then left
  /// out. With "$least_answer_tokens", a lower limit of the length, it stays.
  [[nodiscard]] bool carries_length() const noexcept { return carries_length_; }

  /// The object for a turn; empty if it would have no member. `answer_tokens` below 0: unknown, and
  /// members that need it are left out.
  [[nodiscard]] std::string of(std::int64_t answer_tokens, std::string_view conversation) const;

 private:
  enum class kind : std::uint8_t { constant, answer_tokens, least_answer_tokens, conversation_id };
  struct member {
    std::string key;   // as a JSON string
    std::string json;  // of a constant
    kind value = kind::constant;
  };
  std::vector<member> members_;
  bool carries_length_ = false;
};

}  // namespace inferbench::run
