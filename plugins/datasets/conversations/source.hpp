// A source of conversations, which are read one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conversations {

/// Tokens of a prompt or an answer, at most.
inline constexpr std::int64_t longest_text = 16'777'216;

struct message {
  std::string_view role;  // a literal
  std::string text;
  std::int64_t tokens = 0;  // as the client's tokenizer encodes it, without special ones
};

struct conversation {
  std::string id;
  std::vector<message> messages;  // system or none, then user and assistant in turn
  std::string trouble;            // why the conversation is unusable; messages are empty then
};

class source {
 public:
  virtual ~source() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Messages of user and assistant in number `i`, below size().
  [[nodiscard]] virtual std::size_t turns(std::size_t i) const = 0;
  /// Conversation `i`, always the same. Any thread; several threads for different conversations.
  /// Throws what the tokenizer throws.
  [[nodiscard]] virtual conversation make(std::size_t i) = 0;
};

/// "max-turns" as messages that are kept, 0: all. With an odd number the last message is the
/// user's, and the server answers it.
[[nodiscard]] constexpr std::size_t kept_turns(std::size_t most, std::size_t all) {
  const std::size_t even = most + most % 2;
  return even == 0 || all < even ? all : even;
}

}  // namespace conversations
