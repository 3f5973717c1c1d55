// The turns of a conversation in the order that servers accept: an optional system message, then
// user and assistant alternate, beginning with the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sharegpt {

enum class speaker : std::uint8_t { user, assistant, system, other };

/// Returns the speaker with the name `from`: human or user; gpt, chatgpt, bing, bard or assistant;
/// system. Upper and lower case are equal.
[[nodiscard]] speaker speaker_of(std::string_view from);

/// Collects the turns of the records of one conversation. Their texts must outlive this object.
class dialogue {
 public:
  /// `most` is the maximum number of messages of user and assistant. It must be even; 0: no limit.
  explicit dialogue(std::size_t most) : most_(most) {}

  /// Begins another record. Its first turn is left out if it has the same speaker as the turn
  /// before.
  void begin_record() { first_ = true; }

  /// Returns false if the turn is left out. Before the first turn of the user, only a system
  /// message is kept. Afterwards a turn that does not alternate ends the conversation: the same
  /// speaker twice, another speaker, or a turn without text.
  bool add(speaker who, std::optional<std::string_view> text);

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] std::optional<std::string_view> system() const noexcept { return system_; }
  /// The texts of the turns: user, assistant, user, ...
  [[nodiscard]] const std::vector<std::string_view>& turns() const noexcept { return turns_; }

  /// Removes all turns from index `count` on.
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
