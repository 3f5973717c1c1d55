// How much of its prompts a run shares by itself: of each prompt the longest beginning that a
// prompt before it had too, which is what a prefix cache of the server can give. Found on the
// feeding thread, in at most 8 MiB, however long the run is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::prompts {

/// Shares of all prompt tokens, 0 to 1.
struct shared_prefixes {
  double most = 0;       // what came before, to the token
  double in_blocks = 0;  // in whole blocks of 16 tokens, as most servers keep them
};

/// One thread at a time.
class prefix_sharing {
 public:
  /// `prompts` are expected. Prompt n goes to server n modulo `servers`, each of which has a cache
  /// of its own. `conversations`: each sample makes several requests (dataset/conversation.hpp).
  prefix_sharing(std::uint64_t prompts, std::size_t servers, bool conversations);

  /// A new run, of which nothing is known.
  void clear();

  /// The server was sent this before the run, `count` times in turn.
  void sent_before(const ifb_sample& prompt, std::uint64_t count);

  /// The run's next prompt, or conversation.
  void add(const ifb_sample& prompt);

  /// Nothing for no prompts, and for those whose place in a cache is not known from here: with
  /// media, JSON, lists of texts; conversations with several servers.
  [[nodiscard]] std::optional<shared_prefixes> shares() const;

 private:
  [[nodiscard]] std::string_view bytes_of(const ifb_sample& prompt);
  [[nodiscard]] std::size_t look_up(std::string_view prompt, std::size_t server);
  void add_turns(const ifb_sample& row);
  void add(double tokens, double most, double surely);

  std::vector<std::uint64_t> seen_;  // by their last bits: hashes of beginnings
  std::size_t servers_;
  bool conversations_;
  bool known_ = true;
  std::uint64_t prompts_ = 0;
  double tokens_ = 0;
  double most_ = 0;
  double in_blocks_ = 0;
  std::string joined_;             // bytes_of() of what is in several pieces
  std::vector<std::size_t> ends_;  // of the messages in it
};

}  // namespace inferbench::prompts
