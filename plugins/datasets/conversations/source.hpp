// A source of conversations, which are read one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conversations {

/// The maximum number of tokens of a prompt or an answer.
inline constexpr std::int64_t longest_text = 16'777'216;

struct message {
  std::string_view role;  // refers to a literal
  std::string text;
  std::int64_t tokens = 0;  // counted with the client's tokenizer, without special tokens
};

struct conversation {
  std::string id;
  std::vector<message> messages;  // an optional system message, then user and assistant alternate
  std::string trouble;  // the reason why the conversation is unusable; `messages` is then empty
};

class source {
 public:
  virtual ~source() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Returns the number of messages of user and assistant in conversation `i`, which must be less
  /// than size().
  [[nodiscard]] virtual std::size_t turns(std::size_t i) const = 0;
  /// Returns conversation `i`; every call returns the same content. Any thread may call it, but not
  /// two threads for the same conversation at the same time. Throws the exceptions of the
  /// tokenizer.
  [[nodiscard]] virtual conversation make(std::size_t i) = 0;
};

/// Returns how many messages of a conversation are kept; it has `all` messages. `most` is the
/// option "max-turns", 0: no limit. An odd `most` is rounded up: its last message is from the user,
/// and the answer to this message is also kept.
[[nodiscard]] constexpr std::size_t kept_turns(std::size_t most, std::size_t all) {
  const std::size_t even = most + most % 2;
  return even == 0 || all < even ? all : even;
}

}  // namespace conversations
