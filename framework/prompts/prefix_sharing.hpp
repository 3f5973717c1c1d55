// Computes how much the prompts of one run have in common: for each prompt, the longest beginning
// that an earlier prompt also had. The server's prefix cache can save this part. Runs on the
// feeding thread. Uses at most 8 MiB for a run of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::prompts {

/// The shares of the prompt tokens that prompts have in common, 0 to 1.
struct shared_prefixes {
  double most = 0;       // the share, counted in single tokens
  double in_blocks = 0;  // the share, counted in whole blocks of 16 tokens, which most servers
                         // cache
};

/// One thread at a time.
class prefix_sharing {
 public:
  /// `prompts`: the expected number of prompts. Prompt n goes to server n modulo `servers`, each of
  /// which has its own cache. `conversations`: each sample makes several requests
  /// (dataset/conversation.hpp).
  prefix_sharing(std::uint64_t prompts, std::size_t servers, bool conversations);

  /// Begins a new run with an empty table.
  void clear();

  /// Adds a prompt that was sent before the run, `count` times, to the servers in turn.
  void sent_before(const ifb_sample& prompt, std::uint64_t count);

  /// Adds the run's next prompt or conversation.
  void add(const ifb_sample& prompt);

  /// The shares of the first `first` prompts of the run, at least one; with conversations, and if
  /// there are fewer prompts, the shares of all prompts so far. For 1024 or more prompts, `first`
  /// is rounded by at most 1/512 of the prompts so far. nullopt if there are no prompts, or if
  /// the order of text in the cache is unknown: prompts with media, JSON or lists of texts, and
  /// conversations with several servers.
  [[nodiscard]] std::optional<shared_prefixes> shares(std::uint64_t first = UINT64_MAX) const;

 private:
  [[nodiscard]] std::string_view bytes_of(const ifb_sample& prompt);
  [[nodiscard]] std::size_t look_up(std::string_view prompt, std::size_t server);
  void add_turns(const ifb_sample& row);
  void add(double tokens, double most, double surely);
  void mark();

  /// Tokens of the first `prompts` prompts.
  struct sums {
    std::uint64_t prompts = 0;
    double tokens = 0;
    double most = 0;
    double in_blocks = 0;
  };

  std::vector<std::uint64_t> seen_;  // hashes of beginnings, indexed by their low bits
  std::size_t servers_;
  bool conversations_;
  bool known_ = true;
  sums all_;
  std::vector<sums> marks_;  // the sums after every `stride_` prompts
  std::uint64_t stride_ = 1;
  std::string joined_;             // the result of bytes_of() for a prompt with several pieces
  std::vector<std::size_t> ends_;  // ends of the messages in joined_
};

}  // namespace inferbench::prompts
