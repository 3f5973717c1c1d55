// Finds the parts of a message. The paths of a section become one table of states, which a reader
// follows while it reads the message. Created once per instance. Immutable after the last add();
// any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "path.hpp"

namespace template_backend {

/// The meaning of a value in a message.
enum class part : std::uint8_t {
  text,
  reasoning,
  finish_reason,
  error,
  prompt_tokens,
  cached_tokens,
  output_tokens,
  reasoning_tokens,
  tokens,       // the number of tokens in the event; a list counts its elements
  token_ids,    // one token id, or a list of them
  choice,       // the index of the choice to which the event belongs
  token_event,  // a message with this value is an event with output
  special,      // true: the text is not output
  end           // this event is the last
};
inline constexpr std::size_t parts = static_cast<std::size_t>(part::end) + 1;

class finder {
 public:
  using place = std::uint16_t;
  static constexpr place nowhere = 0xFFFF;
  static constexpr place root = 0;

  /// `rank` is the index of this alternative among the alternatives of its part; 0 has the highest
  /// priority.
  struct use {
    part what;
    std::uint8_t rank;
  };
  struct state {
    std::vector<std::pair<std::string, place>> members;
    std::vector<std::pair<std::uint32_t, place>> elements;
    std::vector<use> uses;
    bool counted = false;  // the length of the list is used as a count
  };

  finder();
  /// Returns a number that identifies this set of paths in the process.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  void add(part what, const std::vector<path>& alternatives);

  [[nodiscard]] const state& at(place where) const noexcept { return states_[where]; }
  /// Returns the place of the member `key` of the object at `object`, or `nowhere`.
  [[nodiscard]] place member(place object, std::string_view key) const noexcept {
    for (const auto& [name, to] : states_[object].members) {
      if (name.size() == key.size() && std::memcmp(name.data(), key.data(), key.size()) == 0)
        return to;
    }
    return nowhere;
  }
  [[nodiscard]] place element(place list, std::uint32_t index) const noexcept {
    for (const auto& [number, to] : states_[list].elements) {
      if (number == index) return to;
    }
    return nowhere;
  }
  [[nodiscard]] bool knows(part what) const noexcept;

 private:
  std::vector<state> states_;
  std::uint64_t id_;
};

}  // namespace template_backend
