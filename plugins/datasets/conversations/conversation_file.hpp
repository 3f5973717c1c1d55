// A file of conversations: a JSON array of {"id": "...", "messages": [{"role", "content"}, ...]}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "source.hpp"

namespace conversations {

/// Keeps 24 bytes per conversation and 4 bytes per message; a conversation is read when it is
/// needed. If a text is not UTF-8, only its conversation is unusable.
class conversation_file final : public source {
 public:
  /// Checks every message. Throws ifb::failure (IFB_E_DATA, option "path") for the first message
  /// that breaks a rule. The rules: the ids of conversations differ; a message has a role and a
  /// content, both texts, and nothing else; user and assistant alternate, after an optional system
  /// message. `most_turns` is the maximum number of messages per conversation; 0: no limit.
  conversation_file(ifb::host host, std::unique_ptr<files::text_file> file,
                    ifb::service::tokenizer tokenizer, std::size_t most_turns);

  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] std::size_t turns(std::size_t i) const override { return rows_[i].turns; }
  [[nodiscard]] conversation make(std::size_t i) override;

 private:
  struct row {
    std::uint64_t offset = 0;
    std::uint64_t first = 0;  // index of its first count
    std::uint32_t messages = 0;
    std::uint32_t turns = 0;  // number of messages without the system message
  };

  std::unique_ptr<files::text_file> file_;
  ifb::service::tokenizer tokenizer_;
  std::vector<row> rows_;
  std::vector<std::uint32_t> counts_;  // tokens of each message; `unknown` until it is counted
};

}  // namespace conversations
