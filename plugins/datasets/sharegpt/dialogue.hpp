// The turns of a conversation as a server takes them: a system message or none, then user and
// assistant in turn, beginning with the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sharegpt {

enum class speaker : std::uint8_t { user, assistant, system, other };

/// The speaker that "from" names: human and user; gpt, chatgpt, bing, bard and assistant; system;
/// upper or lower case.
[[nodiscard]] speaker speaker_of(std::string_view from);

/// Takes the turns of its records one after the other. Their texts must outlive it.
class dialogue {
 public:
  /// `most` 0: any number of messages of user and assistant; else an even one.
  explicit dialogue(std::size_t most) : most_(most) {}

  /// Another record begins. Its first turn is left out if the turn before it has the same speaker.
  void begin_record() { first_ = true; }

  /// False: the turn is left out. Before the first user only a system message is kept; after that
  /// a turn that breaks the alternation ends the conversation: the same speaker twice, another
  /// speaker, a turn without text.
  bool add(speaker who, std::optional<std::string_view> text);

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] std::optional<std::string_view> system() const noexcept { return system_; }
  /// User, assistant, user, ...
  [[nodiscard]] const std::vector<std::string_view>& turns() const noexcept { return turns_; }

  /// Drops turns from number `count` on.
  void cut(std::size_t count) { turns_.resize(count); }

 private:
  std::size_t most_;
  bool first_ = false;
  bool ended_ = false;
  speaker last_ = speaker::other;
  std::optional<std::string_view> system_;
  std::vector<std::string_view> turns_;
};

}  // namespace sharegpt
